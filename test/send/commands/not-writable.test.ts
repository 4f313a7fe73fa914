/** The folder of a run cannot be written: what that says of rows that were sent before, or are in doubt. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "../../../src/durable/files.ts";
import { type Shell, shell } from "../../support/msg.ts";

const runsOf = (at: Shell): string => join(at.folder, "state", "runs");
const idOf = async (at: Shell, named: string): Promise<string> =>
  JSON.parse((await at(`run show ${named} --sandbox --json`)).out).run;

/** Nobody can lock the run: a folder stands in the place of its lock. */
const blocked = async (at: Shell, named: string): Promise<string> => {
  const lock = join(runsOf(at), await idOf(at, named), "lock");
  rmSync(lock, { force: true });
  mkdirSync(lock);
  return lock;
};

/** The answer for this recipient is lost; without the mark nothing proves what became of it. */
const doubtful = "--from 0200000000 --text x --sandbox --no-tag --settle 0 --json";
const keyed = `send --once order-1 --to 01000009999 ${doubtful}`;

test.each(["send-many --resume last", "run reconcile last", "run cancel last"])(
  "D06 a run in doubt that cannot be locked stays in doubt, exit 11: %s",
  async (line) => {
    const at = shell();
    const sent = await at(`send-many - --direct ${doubtful}`, { stdin: "to\n01000009999\n" });
    expect(sent.code, sent.err).toBe(11);
    const lock = await blocked(at, "last");
    const ran = await at(`${line} --sandbox --json`);
    const { error } = JSON.parse(ran.err);
    expect([ran.code, error.code, error.outcome]).toEqual([11, "FileProblem", "unknown"]);
    expect(error.hint).toContain("only it knows what was sent; msg run reconcile");
    rmSync(lock, { recursive: true });
    expect((await at("run show last --sandbox --json")).json()).toMatchObject({ state: "unknown" });
  },
);

test("D01 a run in doubt whose lock does not fit on the disk is not to be made writable", async () => {
  const at = shell();
  const sent = await at(`send-many - --direct ${doubtful}`, { stdin: "to\n01000009999\n" });
  expect(sent.code, sent.err).toBe(11);
  const create = (path: string): number => {
    if (path.includes("lock"))
      throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    return diskFiles.create(path);
  };
  const files = { ...diskFiles, create };
  const ran = await at("send-many --resume last --sandbox --json", { files });
  const { error } = JSON.parse(ran.err);
  expect([ran.code, error.code, error.outcome]).toEqual([11, "FileProblem", "unknown"]);
  expect(error.hint).toMatch(/^free some space and .*what was stored before is untouched/);
});

test("D06 a key in doubt whose folder cannot be locked stays in doubt, and no other folder is advised", async () => {
  const at = shell();
  expect((await at(keyed)).code).toBe(11);
  await blocked(at, "order-1");
  const ran = await at(keyed);
  const { error } = JSON.parse(ran.err);
  expect([ran.code, error.code, error.outcome]).toEqual([11, "FileProblem", "unknown"]);
  expect(error.hint).not.toContain("MSG_STATE_DIR");
});

test("D06 what was sent with a key is shown although nothing can be written beside it", async () => {
  const at = shell();
  const line = "send --sandbox --to 01000000001 --from 0200000000 --text x --once order-1 --json";
  const first = await at(line);
  rmSync(join(runsOf(at), ".lock"));
  mkdirSync(join(runsOf(at), ".lock"));
  await blocked(at, "order-1");
  const again = await at(line);
  expect([again.code, again.json()]).toEqual([0, first.json()]);
});
