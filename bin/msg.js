#!/usr/bin/env node
import module from "node:module";

module.enableCompileCache?.();
const { run } = await import("../dist/main.js");
await run(process);
