"use strict";
// Stands in for node:http2: HTTP/1.1 is all that is spoken here. undici takes these for its constants,
// @hono/node-server compares with the class. Loading the real one takes a third of Node's own start.
exports.constants = {};
exports.Http2ServerRequest = class {};
