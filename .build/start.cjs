"use strict";
// Loads the parts of msg when they are first needed, each with the code that was compiled at build
// time: parsing costs more than running. See build.mjs for what a part is.
const { readFileSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const vm = require("node:vm");

const fileOf = (part) => `${__dirname}/${part}.cjs`;
/** Compiled code is good for one version of Node on one kind of processor. */
const cacheOf = (part) => `${__dirname}/${part}-${process.version}-${process.arch}.cache`;

/** Part → its functions. */
const parts = new Map();
/** Part → the script that they are from, for a rehearsal, which keeps what it compiled. */
let scripts;
/** Chunk → what it exports. */
const loaded = new Map();

const cached = (part) => {
  try {
    return readFileSync(cacheOf(part));
  } catch {
    return undefined;
  }
};

/** Another Node than that of the build compiles for itself, and may keep that for the next time. */
const functionsOf = (part) => {
  const filename = fileOf(part);
  const cachedData = cached(part);
  if (cachedData || scripts) {
    const script = new vm.Script(readFileSync(filename, "latin1"), { filename, cachedData });
    scripts?.set(part, script);
    return script.runInThisContext();
  }
  enableCompileCache?.();
  return require(filename);
};

/** A chunk by its name, `part/place`; anything else is of Node or of npm. */
const use = (name) => {
  const before = loaded.get(name);
  if (before) return before;
  const [, part, place] = /^([\w-]+)\/(\d+)$/.exec(name) ?? [];
  if (part === undefined) return require(name);
  if (!parts.has(part)) parts.set(part, functionsOf(part));
  const module = { exports: {} };
  parts.get(part)[place](module, module.exports, use, fileOf(part));
  // What a chunk exports does not change; as values it is found faster than by calling for it.
  const values = Object.defineProperty({ ...module.exports }, "__esModule", { value: true });
  loaded.set(name, values);
  return values;
};

const start = () => use("main/0");

const rehearse = () => {
  scripts = new Map();
  return { main: start().main, functionsOf, scripts, loaded };
};

module.exports = { cacheOf, rehearse, run: (process) => start().run(process) };
