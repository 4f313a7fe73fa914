#!/usr/bin/env node
"use strict";
// Node keeps what it compiled for the next start, where it can.
require("node:module").enableCompileCache?.();
require("../dist/main.cjs").run(process);
