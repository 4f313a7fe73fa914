/**
 * What Node has from version 22 on, for older ones: bin/msg.js asks it to keep what it compiled for the next
 * start. Kept beside this file, by a process that is told to (KEEP_COMPILED).
 */
"use strict";
const { readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join } = require("node:path");
const { Script } = require("node:vm");

const read = (file) => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

/** Of another build it would be another program. */
const keptAt = (filename) =>
  join(__dirname, `${basename(filename)}-${statSync(filename).mtimeMs}.compiled`);

const keep = (script, file) => {
  writeFileSync(`${file}.new`, script.createCachedData());
  renameSync(`${file}.new`, file);
};

const enableCompileCache = () => {
  const { _compile: compile } = Module.prototype;
  Module.prototype._compile = function (content, filename) {
    if (!filename.endsWith(".cjs") || filename.includes("node_modules"))
      return compile.call(this, content, filename);
    const kept = keptAt(filename);
    const script = new Script(Module.wrap(content), { filename, cachedData: read(kept) });
    if (process.env.KEEP_COMPILED) process.on("exit", () => keep(script, kept));
    const run = script.runInThisContext();
    const folder = dirname(filename);
    return run.call(
      this.exports,
      this.exports,
      Module.createRequire(filename),
      this,
      filename,
      folder,
    );
  };
};

Module.enableCompileCache ??= enableCompileCache;
