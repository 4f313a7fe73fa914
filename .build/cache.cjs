"use strict";
// Runs two usual commands in this process and keeps the code that was compiled for them.
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { Readable, Writable } = require("node:stream");
const { cacheFile, load } = require("../dist/start.cjs");

const folder = mkdtempSync(join(tmpdir(), "msg-build-"));
const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
const { script, main } = load(undefined);

const run = (argv) =>
  main.main({
    argv,
    env: { HOME: folder },
    stdin: () => Readable.from([]),
    stdinIsTTY: false,
    stdout: sink(),
    stderr: sink(),
    user: { pid: process.pid, kill: () => true, user: process.getuid?.() },
    now: () => new Date(),
    random: (size) => require("node:crypto").randomBytes(size),
    wait: async () => undefined,
    signal: new AbortController().signal,
  });

const send = "send --sandbox --to 01000000001 --from 0200000000 --text hello".split(" ");
run(send)
  .then(() => run(["balance", "--sandbox", "-o", "table"]))
  .then(() => run(["message", "list", "--sandbox"]))
  .then(() => run(["--help"]))
  .then((code) => {
    if (code !== 0) throw new Error(`a command ended with ${code}`);
    writeFileSync(cacheFile, script.createCachedData());
  })
  .finally(() => rmSync(folder, { recursive: true, force: true }));
