/**
 * The disk becomes full at every record of a run: nothing is begun that cannot be written down, nothing is
 * lost. In `npm test` that is each record of a run in groups, every second one of direct calls, each write of a
 * single send, and every third of a list; with `EVERY=1` all of them.
 */
import { expect, test } from "vitest";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import { shell } from "../support/msg.ts";
import { share } from "../support/share.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";
import { countingUp, several } from "./several.ts";

interface Full {
  /** Files whose writes count. */
  readonly of: RegExp;
  /** From the write of this number on it is full. */
  readonly from: number;
  /** How much it takes of what is given to it first. */
  readonly part: number;
  /** Removing the reserve of a run makes no room. */
  readonly stays: boolean;
}

/** The disk of this machine, but that it becomes full. */
const fullDisk = ({ of, from, part, stays }: Full): Files => {
  const disk = { writes: 0, isFull: false };
  const counted = new Set<number>();
  const opened = (path: string, descriptor: number): number => {
    if (of.test(path)) counted.add(descriptor);
    else counted.delete(descriptor);
    return descriptor;
  };
  return {
    ...diskFiles,
    create: (path) => opened(path, diskFiles.create(path)),
    openWrite: (path) => opened(path, diskFiles.openWrite(path)),
    openFolder: (path) => opened("", diskFiles.openFolder(path)),
    remove: (path) => {
      if (path.endsWith("reserve") && !stays) disk.isFull = false;
      diskFiles.remove(path);
    },
    write: (descriptor, bytes, offset, at) => {
      if (counted.has(descriptor)) disk.writes += 1;
      if (counted.has(descriptor) && disk.writes === from) disk.isFull = true;
      if (!counted.has(descriptor) || !disk.isFull)
        return diskFiles.write(descriptor, bytes, offset, at);
      if (offset < part) return diskFiles.write(descriptor, bytes.subarray(0, part), offset, at);
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    },
  };
};

/** The journal, or the copy that takes its place. */
const journal = /journal\.log(\.copy)?$/;
/** Plan, reserve, locks, journal, reply. */
const everything = /\/runs\//;

const { opened, nextBatch } = oneService();

const rows = 4;
const once = [1, 1, 1, 1];

/** A run on a disk that becomes full at its n-th record; then resumed on one with room. */
const fullAt = async (at: number, flags: readonly string[], full: "stays" | "reserve") => {
  const it = opened();
  const first = nextBatch();
  const msg = shell();
  const sent = (): number[] => it.countsOf(numbersOf(rows, first));
  const env = envFor(it);
  const files = fullDisk({ of: journal, from: at, part: 5, stays: full === "stays" });
  const words = sending("--json", "--concurrency", "1", ...flags);
  const filled = await msg(words, { stdin: rowsOf(rows, first), env, files });
  const sentThen = sent().reduce((sum, count) => sum + count, 0);
  let resumed = await msg(["send-many", "--resume", "last", "--json"], { env });
  // The first record is made with the run: without it there is none, and nothing was sent.
  if (at === 1 && resumed.code === 6)
    resumed = await msg(words, { stdin: rowsOf(rows, first), env });
  const records = filled.err.split("\n").filter((line) => line.startsWith('{"run":'));
  return { at, full, ended: filled, records, sentThen, resumed, sent: sent() };
};

/** What was said at the time was the truth, and nothing is sent twice or lost afterwards. */
const check = ({ at, full, ended, records, sentThen, resumed, sent }: Filled): void => {
  const place = { at, full, records };
  expect({ ...place, code: resumed.code, sent }, resumed.err).toEqual({
    ...{ ...place, code: 0, sent: once },
  });
  const done = { state: "done", total: rows, accepted: rows, notSent: 0, unknown: 0 };
  expect(JSON.parse(resumed.out)).toMatchObject(done);
  const said: unknown = ended.out === "" ? { accepted: 0 } : JSON.parse(ended.out);
  expect({ ...place, said, code: ended.code }, ended.err).toMatchObject({
    ...{ ...place, said: { accepted: sentThen }, code: sentThen === rows ? 0 : 2 },
  });
  if (ended.code === 2) expect(ended.err).toContain("no space is left on the disk");
  // Of a run that is gone on with nobody is told to begin anew.
  if (ended.err.includes("--resume")) expect(ended.err).not.toContain("run the command again");
};

type Filled = Awaited<ReturnType<typeof fullAt>>;

interface Path {
  readonly path: string;
  readonly flags: readonly string[];
  /** Of the records in `npm test`: each, or one of so many. */
  readonly by: number;
}

const paths: readonly Path[] = [
  { path: "G", flags: ["--chunk", "2"], by: 1 },
  { path: "direct", flags: ["--direct", "--chunk", "2"], by: 2 },
];

test.each(paths)(
  "D01 path $path: the disk becomes full at each record: the books are told, --resume sends each row once",
  async ({ flags, by }) => {
    const kept: number[] = [];
    const stays = async (at: number): Promise<boolean> => {
      const found = await fullAt(at, flags, "stays");
      check(found);
      if (found.records.length > 0) kept.push(at);
      return found.records.length > 0 || found.ended.code !== 0;
    };
    await countingUp(1, stays, by);
    // Results of requests: there is room for them when the reserve is removed.
    expect(kept.length).toBeGreaterThanOrEqual(1);
    await several(share(kept, 2), async (at) => {
      const found = await fullAt(at, flags, "reserve");
      check(found);
      expect(found.records).toHaveLength(1);
    });
  },
  300_000,
);

const sends: Readonly<Record<string, (to: string) => readonly string[]>> = {
  "send-many": () => sending("--json"),
  "send --once": (to) => [
    ...["send", "--to", to, "--from", "0200000000", "--text", "x"],
    ...["--once", `key-${to}`, "--json"],
  ],
};

test.each(Object.keys(sends))(
  "D01 %s: the disk is full from any write on: what did not go out is told with exit 2, and as no fault of msg",
  async (name) => {
    const it = opened();
    const fullFrom = async (at: number): Promise<boolean> => {
      const first = nextBatch();
      const [to = ""] = numbersOf(rows, first);
      const words = sends[name]?.(to) ?? [];
      const files = fullDisk({ of: everything, from: at, part: 0, stays: true });
      const stdin = rowsOf(rows, first);
      const { code, err } = await shell()(words, { stdin, env: envFor(it), files });
      const sent = it.books().get(to) ?? 0;
      expect({ at, code }, err).toEqual({ at, code: sent === 1 ? 0 : 2 });
      if (code === 2) expect(err).toContain("no space is left on the disk");
      return code !== 0;
    };
    // The writes of one message are few, and each may be the only one that shows what became of it.
    await countingUp(1, fullFrom, name === "send --once" ? 1 : 3);
  },
  300_000,
);

test("D08 results that do not fit on the disk: what was sent stays sent, and a note names the cause", async () => {
  const msg = shell();
  const [env, stdin] = [envFor(opened()), rowsOf(rows, nextBatch())];
  const files = fullDisk({ of: /results\.jsonl/, from: 1, part: 0, stays: true });
  const path = `${msg.folder}/results.jsonl`;
  const { code, err } = await msg(sending("--results", path), { stdin, env, files });
  expect(code, err).toBe(0);
  expect(err).toContain("the results of some rows are missing: could not write");
  expect(err).toContain("no space is left on the disk; msg send-many --resume");
});

/** The disk of this machine, but that its n-th change in a folder of runs fails. */
const brokenDisk = (nth: number): Files & { readonly changes: () => number } => {
  let changes = 0;
  const change = (path: string): void => {
    if (everything.test(path)) changes += 1;
    if (changes === nth) {
      changes += 1;
      throw Object.assign(new Error("EIO: i/o error"), { code: "EIO" });
    }
  };
  const failing =
    <A extends readonly [string, ...unknown[]], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      change(args[0]);
      return call(...args);
    };
  const { create, remove, rename, makeFolder } = diskFiles;
  return {
    ...diskFiles,
    create: failing(create),
    remove: failing(remove),
    rename: failing(rename),
    makeFolder: failing(makeFolder),
    changes: () => changes,
  };
};

const oneOrMore: Readonly<Record<string, (to: string) => readonly string[]>> = {
  ...sends,
  "send to two": (to) => `send --to ${to} --to 01099990000 --from 0200000000 --text x`.split(" "),
};

test.each(Object.entries(oneOrMore))(
  "%s on a disk with an error at any change: no fault of msg, and sent once at most",
  async (_name, wordsOf) => {
    const it = opened();
    const env = envFor(it);
    const broken = async (nth: number): Promise<boolean> => {
      const first = nextBatch();
      const [to = ""] = numbersOf(1, first);
      const files = brokenDisk(nth);
      const { code, err } = await shell()(wordsOf(to), { env, files, stdin: rowsOf(1, first) });
      expect([0, 2, 11], `${nth}: ${err}`).toContain(code);
      expect(it.countsOf([to])[0], `${nth}: ${err}`).toBe(code === 0 ? 1 : 0);
      return files.changes() > nth;
    };
    await countingUp(1, broken, 1);
  },
  60_000,
);
