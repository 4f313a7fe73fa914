"use strict";
// Stands in for node:http2 in undici, which goes on without it where a Node has none. msg speaks
// HTTP/1.1 only, and loading the real one takes a third of the time in which Node starts.
throw new Error("node:http2 is not built in");
