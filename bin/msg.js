#!/usr/bin/env node
"use strict";
const { run } = require("../dist/start.cjs");
run(process);
