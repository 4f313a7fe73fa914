"use strict";
// Runs the usual command lines in this process and keeps the code that was compiled for them; run by
// another Node it adds to dist/ what that one compiled. With the name of one of them it runs only that
// and prints which chunks it needed.
const { spawn } = require("node:child_process");
const { randomBytes } = require("node:crypto");
const { once } = require("node:events");
const { mkdtempSync, readdirSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { Readable, Writable } = require("node:stream");
const { setTimeout } = require("node:timers/promises");
const v8 = require("node:v8");
const { cacheOf, rehearse } = require("../dist/start.cjs");
const lines = require("./lines.cjs");

// Code that ran once would be thrown away after a while: here it is what is wanted. Other flags stay as
// they are, for compiled code is refused where they are not those that it was kept with.
const { setFlagsFromString } = v8;
v8.setFlagsFromString = () => undefined;
setFlagsFromString("--no-flush-bytecode");
const folder = mkdtempSync(join(tmpdir(), "msg-build-"));
const { main, load, scripts, loaded } = rehearse();

/** `sandbox start --json` says where it answers, is asked something there, and is stopped. */
const askAndStop = async (words, name, stop) => {
  if (words.startsWith("{")) await fetch(JSON.parse(words)[name === "pages" ? "pages" : "baseUrl"]);
  stop.abort();
};

const run = (line, name, env) => {
  const stop = new AbortController();
  const sink = () =>
    new Writable({
      write: (chunk, _encoding, done) => {
        if (line.startsWith("sandbox start")) void askAndStop(String(chunk), name, stop);
        done();
      },
    });
  return main({
    argv: line.split(" "),
    env: { HOME: folder, ...env },
    versions: process.versions,
    stdin: () => Readable.from([]),
    stdinIsTTY: false,
    stdout: sink(),
    stderr: sink(),
    user: { pid: process.pid, kill: () => true, user: process.getuid?.() },
    now: () => new Date(),
    ticks: () => performance.now(),
    random: randomBytes,
    wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
    signal: stop.signal,
  });
};

const asksService = (name) => ["balance", "table", "send"].includes(name);

const rehearsed = async (name, baseUrl) => {
  const seed = { MSG_API_KEY: "SANDBOXKEY000001", MSG_API_SECRET: "SANDBOXSECRET0000000000000000000" };
  const env = asksService(name) ? { ...seed, MSG_BASE_URL: baseUrl } : {};
  for (const line of lines[name]) {
    const code = await run(line, name, env);
    if (code !== 0) throw new Error(`${line} ended with ${code}`);
  }
};

const keep = () => {
  const files = readdirSync(join(__dirname, "../dist")).filter((file) => file.endsWith(".cjs"));
  const parts = files.map((file) => file.replace(".cjs", "")).filter((part) => part !== "start");
  for (const part of parts) if (!scripts.has(part)) load(part);
  setFlagsFromString("--flush-bytecode");
  for (const [part, script] of scripts) writeFileSync(cacheOf(part), script.createCachedData());
};

/** Calls with the address of a sandbox. */
const withService = async (job) => {
  const words = "sandbox start --memory --port 0 --json --quiet".split(" ");
  const service = spawn(process.execPath, [join(__dirname, "../bin/msg.js"), ...words], {
    env: { HOME: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [answer] = await Promise.race([once(service.stdout, "data"), once(service, "exit")]);
    await job(JSON.parse(answer).baseUrl);
  } finally {
    service.kill();
  }
};

const [only] = process.argv.slice(2);
const names = only ? [only] : Object.keys(lines);
const job = async (baseUrl) => {
  for (const name of names) await rehearsed(name, baseUrl);
  if (only) process.stdout.write(JSON.stringify([...loaded.keys()]));
  else keep();
};
(names.some(asksService) ? withService(job) : job()).finally(() =>
  rmSync(folder, { recursive: true, force: true }),
);
