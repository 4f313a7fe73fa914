/**
 * Standard output is data, standard error is everything else; neither holds what it must not. What no pipe or
 * device of the system takes part in runs in this process.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { atHome } from "../faults/at-home.ts";
import { type Ended, ended, entry, program, sandboxServer, sendTo } from "./program.ts";

const msg = atHome();
const built = (args: readonly string[]): Promise<Ended> => ended(msg.start(args));
/** The built program as a shell is told to start it. */
const quoted = [process.execPath, ...entry].map((word) => `"${word}"`).join(" ");

describe("what goes where", () => {
  test("a record is on standard output, and nothing is on standard error", async () => {
    const { out, err } = await built(sendTo("01000000001"));
    expect(out.split("\n")).toHaveLength(2);
    expect(err).toBe("");
  });

  test("help is asked for, so it is data", async () => {
    const { code, out, err } = await built(["send", "--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("--to");
  });

  test.each([
    ["a record", ["balance", "--sandbox"], 0],
    ["a list", ["message", "list", "--sandbox"], 0],
    ["an empty list", ["message", "list", "--sandbox", "--to", "01099998888"], 0],
    ["a dry run", [...sendTo("01000000001"), "-n"], 0],
    ["accounts", ["sandbox", "accounts"], 0],
  ])("--json of %s is JSON", async (_name, args, expected) => {
    const { code, out } = await msg([...args, "--json"]);
    expect(code).toBe(expected);
    expect(() => JSON.parse(out)).not.toThrow();
  });

  test.each([
    ["bad usage", ["balance", "--sandbox", "--nope"], 2],
    ["an unknown command", ["sned"], 2],
    [
      "a refusal",
      ["send", "--sandbox", "--to", "01000000001", "--from", "0299999999", "--text", "a"],
      10,
    ],
    ["a line whose last word on it is JSON", ["sned", "-o", "table"], 2],
    ["no credentials", ["balance", "-p", "sandbox:disabled-key"], 4],
  ])("--json of %s is one JSON object on standard error", async (_name, args, expected) => {
    const { code, out, err } = await msg([...args, "--json"]);
    expect({ code, out }).toEqual({ code: expected, out: "" });
    expect(JSON.parse(err)).toMatchObject({ error: { exitCode: expected } });
  });
});

describe("no surprises in a pipe", () => {
  test("no escape byte reaches a pipe, not even for a name that holds one", async () => {
    const evil = "\u001b[31mred\u001b]0;title\u0007";
    await msg(["send", "--sandbox", "--to", "01000000001", "--from", "0200000000", "--text", evil]);
    for (const format of ["tsv", "csv", "json", "jsonl", "table"]) {
      const run = format === "table" ? built : msg;
      const { code, out, err } = await run(["message", "list", "--sandbox", "-o", format]);
      expect({ format, code }).toEqual({ format, code: 0 });
      expect(out + err).not.toContain("\u001b");
    }
  });

  test("D08 a reader that goes away ends the program quietly", async () => {
    const child = msg.start(["message", "list", "--sandbox", "--all", "-o", "tsv"]);
    child.stdout.destroy();
    const { err } = await ended(child);
    expect(err).not.toMatch(/EPIPE|\n\s+at /);
  });

  test("D08 msg balance | head -0 ends without a word", async () => {
    const line = `${quoted} balance --sandbox | head -0`;
    const { code, out, err } = await ended(spawn("sh", ["-c", line], { env: msg.env }));
    expect({ code, out, err }).toEqual({ code: 0, out: "", err: "" });
  });

  test.each(["--version", "--help", "send --help", "help sending"])(
    "D08 msg %s | true ends without a word",
    async (words) => {
      const line = `${quoted} ${words} | true`;
      const { code, out, err } = await ended(spawn("sh", ["-c", line], { env: msg.env }));
      expect({ code, out, err }).toEqual({ code: 0, out: "", err: "" });
    },
  );

  test.each([
    ["the send keeps its truth", sendTo("01000000002"), 0],
    ["a setting that was stored ends with 0", ["profile", "set", "from=0212345678"], 0],
    ["a read of msg api ends with 1", ["api", "GET", "/cash/v1/balance", "--sandbox"], 1],
    ["a list of msg api ends with 1", ["api", "--list"], 1],
    ["a document of msg api ends with 1", ["api", "--openapi"], 1],
    ["a read ends with 1", ["balance", "--sandbox"], 1],
    ["help ends with 1", ["help"], 1],
    ["the version with --json ends with 1", ["--version", "--json"], 1],
    ["with --json its error is JSON", ["balance", "--sandbox", "--json"], 1],
  ])("D08 a full device is said, and %s", async (_, words, expected) => {
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, [...entry, ...words], {
      env: msg.env,
      stdio: ["ignore", full, "pipe"],
    });
    const chunks: Buffer[] = [];
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, "close");
    closeSync(full);
    expect(code).toBe(expected);
    const failed = words.includes("--json") ? /^\{"error":\{.*output/ : /^error: .*output/;
    const start = expected === 0 ? /output/i : failed;
    expect(Buffer.concat(chunks).toString()).toMatch(start);
  });
});

describe("secrets", () => {
  const secret = `SANDBOXSECRET${"0".repeat(19)}`;

  test("C06 no command prints the secret that it uses", async () => {
    const said = await Promise.all([
      built(["balance", "--sandbox", "--debug"]),
      msg(["balance", "-p", "sandbox:disabled-key", "--debug", "--json"]),
      msg(["auth", "status", "--sandbox", "--json"]),
      msg(["profile", "show", "--sandbox"]),
    ]);
    expect(said.map(({ out, err }) => (out + err).includes("SANDBOXSECRET"))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test("C06 a secret that is stored stands in the credentials file and nowhere else", async () => {
    const server = await sandboxServer(msg);
    const home = program();
    const words = ["auth", "login", "--api-key", "SANDBOXKEY000001", "--secret-stdin"];
    const login = await home([...words, "--base-url", server.baseUrl], { stdin: `${secret}\n` });
    const sent = await home([
      ...sendTo("01000000001").filter((it) => it !== "--sandbox"),
      "--debug",
    ]);
    await server.stop();
    expect([login.code, sent.code]).toEqual([0, 0]);
    expect([login.out, login.err, sent.out, sent.err].join("")).not.toContain(secret);
    const holding = readdirSync(home.folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => join(it.parentPath, it.name))
      .filter((path) => readFileSync(path).includes(secret));
    expect(holding.map((path) => basename(path))).toEqual(["credentials.json"]);
    expect(holding.map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
  });
});
