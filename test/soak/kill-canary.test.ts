/** A run with a canary, killed at every moment and behind every record, then resumed: each row once. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { numbersOf } from "../faults/books.ts";
import { atMoment, behindRecord, type Killing, killedRun } from "../faults/killed.ts";
import { oneService } from "../faults/one-service.ts";
import { countingUp } from "../faults/several.ts";

const { opened, nextBatch } = oneService();
const rows = 6;
const judged = ["--canary-max-failed", "0", "--canary-within", "60s"];
const groups = ["--chunk", "2", "--group-size", "4"];

const right = { code: 0, sent: Array.from({ length: rows }, () => 1) };
const booked = { state: "done", total: rows, accepted: rows, notSent: 0, unknown: 0 };

const killed = (killing: Killing, flags: readonly string[]) =>
  killedRun(opened(), {
    flags: [...flags, ...judged],
    rows,
    first: nextBatch(),
    killings: [killing],
  });

test("P02 a canary killed at every moment of every request, resumed: each row once", async () => {
  await countingUp(1, async (at) => {
    const run = await killed(atMoment(at), ["--canary", "3", ...groups]);
    expect({ at, code: run.code, sent: run.sent }, run.err).toEqual({ at, ...right });
    expect(run.shown).toMatchObject(booked);
    return run.killed > 0;
  });
}, 600_000);

test("P03 a canary killed behind every record of its journal, resumed: each row once", async () => {
  const last = new Set<string>();
  await countingUp(1, async (at) => {
    const run = await killed(behindRecord(at), ["--canary", "3", ...groups]);
    for (const type of run.records) last.add(type);
    expect({ at, code: run.code, sent: run.sent }, run.err).toEqual({ at, ...right });
    expect(run.shown).toMatchObject(booked);
    return run.killed > 0;
  });
  expect([...last]).toEqual(expect.arrayContaining(["SENT", "CANARY", "SEND_INTENT", "END"]));
}, 600_000);

test("P03 a canary to numbers of one's own, killed behind every record: each of both once", async () => {
  await countingUp(1, async (at) => {
    const first = nextBatch();
    const team = join(freshFolder(), "team.csv");
    const own = [`0109${String(first).padStart(7, "0")}`, `0108${String(first).padStart(7, "0")}`];
    writeFileSync(team, `to\n${own.join("\n")}\n`);
    const flags = ["--canary-to", team, ...groups, ...judged];
    const killings = [behindRecord(at)];
    const run = await killedRun(opened(), { flags, rows, first, killings, extra: own.length });
    expect({ at, code: run.code, sent: run.sent }, run.err).toEqual({ at, ...right });
    expect({ at, own: opened().countsOf(own) }).toEqual({ at, own: [1, 1] });
    expect(numbersOf(rows, first)).toHaveLength(rows);
    return run.killed > 0;
  });
}, 600_000);
