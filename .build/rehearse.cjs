"use strict";
// Runs the usual command lines in this process, keeps the code that was compiled for them, and prints
// which chunks they needed.
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

/** Part → what is run for it. Each part has what the ones before it do not. */
const lines = {
  main: ["--help"],
  line: ["completion bash"],
  network: ["balance", "balance -o table"],
  send: ["send --to 01000000001 --from 0200000000 --text hello --yes", "message list"],
  sandbox: [
    "send --sandbox --to 01000000001 --from 0200000000 --text hello",
    "message list --sandbox",
  ],
  server: ["sandbox start --memory --port 0"],
};

// Code that ran once would be thrown away after a while: here it is what is wanted. Other flags stay as
// they are, for compiled code is refused where they are not those that it was kept with.
const { setFlagsFromString } = v8;
v8.setFlagsFromString = () => undefined;
setFlagsFromString("--no-flush-bytecode");
const dist = join(__dirname, "../dist");
const folder = mkdtempSync(join(tmpdir(), "msg-build-"));
const { main, load, scripts, loaded } = rehearse();
const known = new Set();

/** What would run for ever, `sandbox start`, is stopped when it has written something. */
const run = (line, env) => {
  const isServer = line.startsWith("sandbox start");
  const stop = new AbortController();
  const sink = () =>
    new Writable({
      write: (_chunk, _encoding, done) => {
        if (isServer) stop.abort();
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

const runLines = async (part, baseUrl) => {
  for (const line of lines[part]) {
    const env = /sandbox|help|completion/.test(line)
      ? {}
      : { MSG_BASE_URL: baseUrl, MSG_API_KEY: "SANDBOXKEY000001", MSG_API_SECRET: "SANDBOXSECRET0000000000000000000" };
    const code = await run(line, env);
    if (code !== 0) throw new Error(`${line} ended with ${code}`);
  }
  const needed = [...loaded.keys()].filter((name) => !known.has(name));
  for (const name of needed) known.add(name);
  return needed;
};

(async () => {
  const service = spawn(
    process.execPath,
    [join(__dirname, "../bin/msg.js"), ..."sandbox start --memory --port 0 --json --quiet".split(" ")],
    { env: { HOME: folder }, stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [answer] = await Promise.race([once(service.stdout, "data"), once(service, "exit")]);
    const { baseUrl } = JSON.parse(answer);
    const needed = {};
    for (const part of Object.keys(lines)) needed[part] = await runLines(part, baseUrl);
    setFlagsFromString("--flush-bytecode");
    const parts = readdirSync(dist).map((file) => file.replace(".cjs", ""));
    for (const part of parts) if (part !== "start" && !scripts.has(part)) load(part);
    for (const [part, script] of scripts) writeFileSync(cacheOf(part), script.createCachedData());
    process.stdout.write(JSON.stringify(needed));
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
})();
