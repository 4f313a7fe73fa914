/** What is on the disk when a request leaves, and what becomes of a run whose disk is full. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../src/client/index.ts";
import { newSalt } from "../../../src/client/layers/authorization.ts";
import type { Send } from "../../../src/contract/wire.ts";
import { diskFiles, type Files } from "../../../src/durable/files.ts";
import { MsgError } from "../../../src/errors.ts";
import { openSandbox } from "../../../src/sandbox/index.ts";
import type { Entry } from "../../../src/send/protocol/entries.ts";
import { runEngine } from "../../../src/send/run/engine.ts";
import { createJournal, inspectJournal, openJournal } from "../../../src/send/store/journal.ts";
import { freshFolder, fullDisk, systemError } from "../../durable/faulty.ts";
import { secretOf } from "../../support/signer.ts";
import { rows, run, runFile } from "./seven-rows.ts";

const bodyOf = (chunk: number): Uint8Array => {
  const customFields = { "msg.run": run, "msg.row": String(chunk + 1) };
  const to = `0105000000${chunk}`;
  const message = { to, from: "0200000000", text: "hello", customFields };
  return Buffer.from(JSON.stringify({ messages: [message] }));
};

const wait = (): Promise<void> => Promise.resolve();

const serviceHere = (): Send => {
  const sandbox = openSandbox({ file: ":memory:", now: () => new Date(), wait });
  onTestFinished(() => sandbox.close());
  return sandbox.send;
};

interface Worked {
  readonly ending: string;
  readonly lost: readonly string[];
}

/** Works on the run with a journal on these files; `onSend` sees every request before it leaves. */
const workOn = async (
  files: Files,
  path: string,
  service: Send,
  onSend: (target: string, landed: readonly number[]) => void,
  assertOwned: () => void = () => undefined,
): Promise<Worked> => {
  const found = diskFiles.lstat(path);
  const journal = found ? openJournal(files, path) : createJournal(files, path, run);
  const lost: string[] = [];
  const landed = new Set<number>();
  const base: Send = (wire, signal) => {
    onSend(`${wire.method} ${wire.target}`, [...landed]);
    return service(wire, signal);
  };
  const common = {
    now: () => new Date(),
    ticks: () => performance.now(),
    random: randomBytes,
    wait,
  };
  const transports = { base, auth: base };
  const client = createClient({ ...common, credentials: signer, transports });
  try {
    const { ending } = await runEngine({
      ...{ ...common, journal, run: runFile, body: bodyOf, goal: "finish", key: "0001" },
      ...{ client, assertOwned },
      ...{ reconcileMs: 1_000, rate: undefined },
      ...{ makeRoom: () => undefined, signal: new AbortController().signal },
      fresh: () => ({ date: client.clock.signingDate(), salt: newSalt(randomBytes), key: "0001" }),
      mayStart: async () => undefined,
      onState: ({ chunks }) => {
        for (const [at, chunk] of chunks.entries()) if (chunk.status === "done") landed.add(at);
      },
      onRefused: () => undefined,
      onReply: () => undefined,
      limitDelay: () => 0,
      onLimit: () => undefined,
      onReplayUnsafe: () => undefined,
      onCopies: () => undefined,
      onLostRecord: (line) => lost.push(line),
    });
    return { ending: ending.type, lost };
  } finally {
    journal.close();
  }
};

const signer = { kind: "key", apiKey: "SANDBOXKEY000001", apiSecret: secretOf(1) } as const;

const onDisk = (path: string): readonly Entry[] => inspectJournal(diskFiles, path);

const countOf = (entries: readonly Entry[], kind: Entry["t"]): number =>
  entries.filter(({ t }) => t === kind).length;

test("before a request leaves, its intent and every result before it are on the disk", async () => {
  const path = join(freshFolder(), "journal.log");
  const seen = { adds: 0, sends: 0 };
  const { ending } = await workOn(diskFiles, path, serviceHere(), (target, landed) => {
    const entries = onDisk(path);
    if (target.startsWith("PUT")) seen.adds += 1;
    if (target.endsWith("/send")) seen.sends += 1;
    expect(countOf(entries, "ADD_INTENT")).toBeGreaterThanOrEqual(seen.adds);
    expect(countOf(entries, "SEND_INTENT")).toBeGreaterThanOrEqual(seen.sends);
    expect(countOf(entries, "SENT")).toBeGreaterThanOrEqual(seen.sends - 1);
    const kept = entries.flatMap((it) => (it.t === "ADD_OK" ? [it.chunk] : []));
    expect(kept).toEqual(expect.arrayContaining([...landed]));
  });
  expect(ending).toBe("done");
  expect(seen).toEqual({ adds: rows, sends: 4 });
  expect(onDisk(path).at(-1)).toMatchObject({ t: "END" });
});

test("the intents of requests that start together go to the disk together", async () => {
  const path = join(freshFolder(), "journal.log");
  const synced: number[] = [];
  const syncData = (descriptor: number): void => {
    diskFiles.syncData(descriptor);
    synced.push(onDisk(path).length);
  };
  await workOn({ ...diskFiles, syncData }, path, serviceHere(), () => undefined);
  const entries = onDisk(path);
  const appends = synced.map((end, at) => entries.slice(synced[at - 1] ?? 0, end));
  const adds = appends.map((some) => some.flatMap((it) => (it.t === "ADD_INTENT" ? it.chunk : [])));
  expect(adds.filter((chunks) => chunks.length > 0)).toEqual([[0, 1], [2, 3], [4, 5], [6]]);
});

test("a disk that is full at any byte stops the run before a request without an intent", async () => {
  const whole = join(freshFolder(), "journal.log");
  await workOn(diskFiles, whole, serviceHere(), () => undefined);
  const size = diskFiles.read(whole).length;
  // Room for the new journal with its zeros; then for so many bytes, whether zeros lie there or not.
  const zeros = 16 * 1024;
  for (let room = zeros; room < zeros + size; room += 151) {
    const path = join(freshFolder(), "journal.log");
    const service = serviceHere();
    const sent: string[] = [];
    const first = workOn(fullDisk(room), path, service, (target) => {
      if (!target.endsWith("/send")) return;
      sent.push(target);
      expect(countOf(onDisk(path), "SEND_INTENT")).toBeGreaterThanOrEqual(sent.length);
    });
    const { ending } = await first;
    expect(["stopped", "done"]).toContain(ending);
    const resumed = await workOn(diskFiles, path, service, (target) => sent.push(target));
    expect(resumed.ending).toBe("done");
    const groups = onDisk(path).flatMap((it) => (it.t === "SENT" ? [it.accepted] : []));
    expect(groups.reduce((sum, accepted) => sum + accepted, 0)).toBe(rows);
  }
});

test("D02 a run whose disk fails in a sync begins nothing that needs a record, and is resumed", async () => {
  for (let bad = 1; bad < 24; bad += 1) {
    const path = join(freshFolder(), "journal.log");
    const service = serviceHere();
    const syncs = { count: 0, failed: false };
    const syncData = (descriptor: number): void => {
      syncs.count += 1;
      diskFiles.syncData(descriptor);
      syncs.failed ||= syncs.count === bad + 1;
      if (syncs.failed) throw systemError("EIO");
    };
    const first = await workOn({ ...diskFiles, syncData }, path, service, (target) => {
      if (!target.startsWith("GET")) expect(syncs.failed).toBe(false);
    });
    // Where all groups were sent, what a bad disk may lose is no reason to say otherwise.
    const isOver = !syncs.failed || countOf(onDisk(path), "SENT") === 4;
    expect(first.ending).toBe(isOver ? "done" : "stopped");
    const resumed = await workOn(diskFiles, path, service, () => undefined);
    expect(resumed.ending).toBe("done");
    const accepted = onDisk(path).flatMap((it) => (it.t === "SENT" ? [it.accepted] : []));
    expect(accepted.reduce((sum, one) => sum + one, 0)).toBe(rows);
  }
});

test("nothing leaves a run that another process has taken over, though it needs no record", async () => {
  const path = join(freshFolder(), "journal.log");
  const sent: string[] = [];
  const assertOwned = (): void => {
    if (sent.some((target) => target.startsWith("PUT")))
      throw new MsgError("stopped", "taken over");
  };
  const worked = workOn(diskFiles, path, serviceHere(), (it) => sent.push(it), assertOwned);
  expect((await worked).ending).toBe("stopped");
  expect(sent.at(-1)).toMatch(/^PUT/);
});
