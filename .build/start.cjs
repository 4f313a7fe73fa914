"use strict";
// Loads main.cjs with the code that was compiled at build time: parsing it costs more than running it.
const { readFileSync } = require("node:fs");
const { createRequire, enableCompileCache } = require("node:module");
const { join } = require("node:path");
const vm = require("node:vm");

const file = join(__dirname, "main.cjs");
/** Compiled code is good for one version of Node on one kind of processor. */
const cacheFile = join(__dirname, `main-${process.version}-${process.arch}.cache`);

const load = (cachedData) => {
  const script = new vm.Script(`(function(exports,require,module,__filename,__dirname){${readFileSync(file, "latin1")}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, __dirname);
  return { script, main: module.exports };
};

const cached = () => {
  try {
    return readFileSync(cacheFile);
  } catch {
    return undefined;
  }
};

const start = () => {
  const compiled = cached();
  if (compiled) return load(compiled).main;
  enableCompileCache?.();
  return require("./main.cjs");
};

module.exports = { load, cacheFile, run: (process) => start().run(process) };
