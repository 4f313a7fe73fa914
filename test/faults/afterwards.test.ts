/**
 * What goes wrong behind a send changes neither its exit code nor its truth: output, reading, waiting. In
 * `npm test` each fault of the output meets every second way of sending; with `EVERY=1` all of them.
 */
import { spawn } from "node:child_process";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ended, entry, freshFolder, program } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { share } from "../support/share.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const sendTo = (to: string): readonly string[] =>
  ["send", "--to", to, "--from", "0200000000", "--text", "x", "--yes"] as const;

/** Two rows, of which the second has a sender that nobody registered: exit 3. */
const partly = (first: number): string => {
  const [one, two] = numbersOf(2, first);
  return `to,from\n${one},0200000000\n${two},0299999999\n`;
};

/** Ways of sending one accepted message, and what they end with. */
const sends = (
  first: number,
): readonly (readonly [string, readonly string[], string, number])[] => [
  ["send", sendTo(numbersOf(1, first)[0] ?? ""), "", 0],
  ["send-many", sending(), rowsOf(1, first), 0],
  ["send-many --direct", sending("--direct"), rowsOf(1, first), 0],
  ["send-many with a refused row", sending(), partly(first), 3],
];

/** The built program with a standard output of our choice. */
const withOutput = async (
  words: readonly string[],
  stdin: string,
  stdout: number | "pipe",
  more: Readonly<Record<string, string>> = {},
) => {
  const msg = program();
  const env = { ...msg.env, ...envFor(opened()), ...more };
  const child = spawn(process.execPath, [...entry, ...words], {
    env,
    cwd: msg.folder,
    stdio: ["pipe", stdout, "pipe"],
  });
  child.stdin?.end(stdin);
  child.stdout?.destroy();
  const chunks: Buffer[] = [];
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((done) => child.on("close", done));
  return { code, err: Buffer.concat(chunks).toString("utf8") };
};

const ways = [0, 1, 2, 3];

describe.each([
  ["D08 a full device", 0],
  ["D08 a reader that went away", 1],
] as const)("%s", (name, turn) => {
  test.each(share(ways, 2, turn))(
    "the send keeps its exit code and its ids are told: way %i",
    async (way) => {
      const first = nextBatch();
      const [, words = [], stdin = "", expected] = sends(first)[way] ?? [];
      const full = name.endsWith("device") ? openSync("/dev/full", "w") : undefined;
      const { code, err } = await withOutput(words, stdin, full ?? "pipe");
      if (full !== undefined) closeSync(full);
      expect(code, err).toBe(expected);
      expect(err.split("\n")[0]).toMatch(/^the output could not be written \(.*\): .*G4V/);
      expect(
        opened()
          .books()
          .get(numbersOf(1, first)[0] ?? ""),
      ).toBe(1);
    },
  );
});

/** Breaks the writing of data in ways that no renderer should. */
const breaking = `
const write = process.stdout.write;
process.stdout.write = function (...all) {
  if (process.env.HOW === "throw") throw new Error("provoked");
  if (process.env.HOW === "reject") Promise.reject(new Error("provoked"));
  if (process.env.HOW === "late") setImmediate(() => { throw new Error("provoked"); });
  return write.apply(this, all);
};`;

describe.each([
  ["throws", "throw", 0],
  ["leaves a rejection that nobody waits for", "reject", 1],
  ["throws where nobody catches", "late", 2],
])("P12 a renderer that %s after a send", (_, how, turn) => {
  test.each(share(ways, 2, turn))(
    "keeps the exit code of the send and is told: way %i",
    async (way) => {
      const first = nextBatch();
      const [, words = [], stdin = "", expected] = sends(first)[way] ?? [];
      const preload = join(freshFolder(), "preload.cjs");
      writeFileSync(preload, breaking);
      const more = { NODE_OPTIONS: `--require ${preload}`, HOW: how };
      const msg = program();
      const child = msg.start(words, { stdin, env: { ...envFor(opened()), ...more } });
      const { code, err } = await ended(child);
      expect(code, err).toBe(expected);
      expect(err).toContain("fault in msg itself");
      expect(err).toContain("provoked");
      expect(err).not.toMatch(/\n\s+at /);
      expect(
        opened()
          .books()
          .get(numbersOf(1, first)[0] ?? ""),
      ).toBe(1);
    },
  );
});

/** Everything is read over a line on which no read is answered once a send has been. */
const blind = async (line: string | readonly string[], stdin = "") => {
  const seen = { write: false };
  const over = await openLine({
    to: opened().baseUrl,
    harm: ({ method }) => (method === "GET" && seen.write ? "failBefore" : undefined),
    on: ({ path }, moment) => {
      if (path.endsWith("/send") && moment === "answered") seen.write = true;
    },
  });
  const at = shell({ env: envFor(over), ...hurried() });
  const ran = await at(line, { stdin });
  await over.stop();
  return ran;
};

describe("N06 reads behind a send that get no answer", () => {
  test("send --wait shows the message as accepted: exit 8, never the code of a failed send", async () => {
    const [to = ""] = numbersOf(1, nextBatch());
    const { code, out, err } = await blind([...sendTo(to), "--wait", "--json"]);
    expect(code, err).toBe(8);
    expect(JSON.parse(out)).toMatchObject({ to, statusCode: "2000" });
    const error = err.trim().split("\n").at(-1) ?? "";
    expect(JSON.parse(error)).toMatchObject({ error: { outcome: "done" } });
  });

  test("send-many --wait shows the run as accepted: exit 8", async () => {
    const { code, out, err } = await blind(sending("--wait", "--json"), rowsOf(2, nextBatch()));
    expect(code, err).toBe(8);
    expect(JSON.parse(out)).toMatchObject({ accepted: 2, notSent: 0, unknown: 0 });
  });

  test("refused rows that cannot be read are counted and named all the same: exit 3", async () => {
    const { code, out, err } = await blind(sending("--json"), partly(nextBatch()));
    expect(code, err).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ accepted: 1, refused: 1 });
    expect(JSON.parse(err).error.details).toMatchObject([{ code: "1062", row: 2 }]);
  });
});

/** No temporary file of the record of a send can be made. */
const noRecord = `
const fs = require("node:fs");
const { openSync } = fs;
fs.openSync = (path, ...more) => {
  if (String(path).includes("results.jsonl"))
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  return openSync(path, ...more);
};`;

test("D08 the record of a send --once does not fit on the disk: exit 0, its ids are told, and it is sent once", async () => {
  const [to = ""] = numbersOf(1, nextBatch());
  const preload = join(freshFolder(), "preload.cjs");
  writeFileSync(preload, noRecord);
  const msg = program();
  const env = { ...envFor(opened()), NODE_OPTIONS: `--require ${preload}` };
  for (const time of ["first", "second"]) {
    const { code, out, err } = await msg([...sendTo(to), "--once", "a", "--json"], { env });
    expect({ time, code, told: out.includes("G4V") }, err).toEqual({ time, code: 0, told: true });
  }
  expect(opened().books().get(to)).toBe(1);
});

test("P05 Ctrl-C while --wait waits: the message is shown as accepted, exit 130", async () => {
  const stop = new AbortController();
  const over = await openLine({
    to: opened().baseUrl,
    on: ({ path }, moment) => {
      if (path.includes("/groups/") && moment === "answered") stop.abort();
    },
  });
  const at = shell({ env: envFor(over), signal: stop.signal });
  const [to = ""] = numbersOf(1, nextBatch());
  const one = await at([...sendTo(to), "--wait", "--json"]);
  await over.stop();
  expect(one.code, one.err).toBe(130);
  expect(one.out).toContain("G4V");
  expect(JSON.parse(one.err)).toMatchObject({ error: { code: "Interrupted", outcome: "done" } });
});

test("send --wait of a message whose group failed as a whole ends with exit 10, although it reads as accepted", async () => {
  const over = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => {
      const rewrite = (body: string): string => body.replace(/"status":"\w+"/, '"status":"FAILED"');
      return path.includes("/groups/") ? { rewrite } : undefined;
    },
  });
  const at = shell({ env: envFor(over) });
  const [to = ""] = numbersOf(1, nextBatch());
  const { code, out, err } = await at([...sendTo(to), "--wait", "--json"]);
  await over.stop();
  expect(code, err).toBe(10);
  expect(JSON.parse(out)).toMatchObject({ to, statusCode: "2000" });
  expect(JSON.parse(err)).toMatchObject({ error: { code: "FailedGroup" } });
});
