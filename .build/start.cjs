"use strict";
// Loads the parts of msg when they are first needed, each with the code that was compiled at build
// time: parsing costs more than running. See build.mjs for what a part is.
const { readFileSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const vm = require("node:vm");

const fileOf = (part) => `${__dirname}/${part}.cjs`;
/** Compiled code is good for one version of V8, as Node has it, on one kind of processor. */
const cacheOf = (part) => `${__dirname}/${part}-${process.versions.v8}-${process.arch}.cache`;

/** Part → its chunks. */
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

/** A Node that was not rehearsed with compiles for itself, and may keep that for the next time. */
const textOf = (part) => {
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

const load = (part) => {
  if (!parts.has(part)) parts.set(part, textOf(part)({ exports: {} }, use, fileOf(part)));
  return parts.get(part);
};

/** Modules of Node that cost, and that much imports which then does not come to need them. */
const dear = /^(node:)?(child_process|crypto|fs\/promises|https?|net|os|tls|tty|v8|zlib)$/;

/** Stands for a module of Node, which is loaded when something of it is used. */
const late = (name) => {
  let module;
  const load = () => (module ??= require(name));
  return new Proxy(
    {},
    {
      get: (_, member) => load()[member],
      has: (_, member) => member in load(),
      ownKeys: () => Reflect.ownKeys(load()),
      getOwnPropertyDescriptor: (_, member) => {
        const found = Reflect.getOwnPropertyDescriptor(load(), member);
        return found && { ...found, configurable: true };
      },
    },
  );
};

/** A chunk by its name, `part/place`; anything else is of Node or of npm. */
const use = (name) => {
  const before = loaded.get(name);
  if (before) return before;
  if (dear.test(name)) return late(name);
  const [, part, place] = /^([\w-]+)\/(\d+)$/.exec(name) ?? [];
  if (part === undefined) return require(name);
  const exported = load(part)[place]();
  // What a chunk exports does not change; as values it is found faster than by calling for it.
  const values = Object.defineProperty({ ...exported }, "__esModule", { value: true });
  loaded.set(name, values);
  return values;
};

const start = () => use("main/0");

const rehearse = () => {
  scripts = new Map();
  return { main: start().main, load, scripts, loaded };
};

module.exports = { cacheOf, rehearse, run: (process) => start().run(process) };
