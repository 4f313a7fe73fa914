import { describe, expect, test } from "vitest";
import { splitArgv } from "../../../src/cli/parse/argv.ts";
import { parseLine } from "../../../src/cli/parse/parse-line.ts";
import send from "../../../src/commands/send.ts";

const names = ["send", "message list", "balance", "balance history"];
const isWord = (path: string) => names.some((name) => name === path || name.startsWith(`${path} `));
const split = (line: string) => splitArgv(line.split(" "), isWord);

describe("finding the command", () => {
  test.each([
    ["send --to 1", "send", ["--to", "1"]],
    ["message list --limit 3", "message list", ["--limit", "3"]],
    ["--sandbox send --to 1", "send", ["--sandbox", "--to", "1"]],
    ["-p work message list", "message list", ["-p", "work"]],
    ["message --json list", "message list", ["--json"]],
    ["balance history", "balance history", []],
    ["balance -o json", "balance", ["-o", "json"]],
    ["send --text balance", "send", ["--text", "balance"]],
    ["message", "message", []],
    ["nothing here", "", ["nothing", "here"]],
  ])("%s", (line, path, rest) => {
    expect(split(line)).toEqual({ path, rest });
  });
});

describe("taking the global flags out", () => {
  const take = (...args: string[]) => parseLine("send", send, args);

  test("a value that looks like a global flag stays a value", () => {
    expect(take("--text=--json", "-q")).toMatchObject({
      globals: { quiet: true },
      flags: { text: ["--json"] },
    });
  });
  test("the last of --json and -o wins", () => {
    expect(take("--json", "-o", "csv").globals.output).toBe("csv");
    expect(take("-o", "csv", "--json").globals.output).toBe("json");
    expect(take("--json", "--no-json").globals.output).toBeUndefined();
    expect(take("-o", "csv", "--json=false").globals.output).toBe("csv");
  });
  test("values may be attached", () => {
    expect(take("-ocsv", "--tz=UTC").globals).toEqual({ output: "csv", tz: "UTC" });
  });
  test("what stands behind -- is left alone", () => {
    expect(() => take("--", "--json")).toThrow("does not take the word '--json'");
  });
  test("a missing value is named", () => {
    expect(() => take("--profile")).toThrow("--profile needs a value");
  });
  test.each(["--wait", "-n", "--json", "--from=029302266", "--"])(
    "a flag is not the value of the one before it: %s",
    (next) => {
      expect(() => take("--to", "1", "--text", next)).toThrow("--text needs a value");
    },
  );
  test("a value may begin like a flag", () => {
    expect(take("--text", "--wait for it").flags).toEqual({ text: ["--wait for it"] });
    expect(take("--text", "-2h").flags).toEqual({ text: ["-2h"] });
  });
  test("a switch with a value is refused", () => {
    expect(() => take("--quiet=maybe")).toThrow("--quiet is a switch");
  });
});
