/** What the service holds is newer than the journal: looked at before anything is sent or claimed. */
import { readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";

const rows = "to\n01000000001\n01000000002\n01000000003\n";
const content = "--from 0200000000 --text x --sandbox --json";

test("a run of single calls whose journal lost its records sends nothing twice when it is resumed", async () => {
  const at = shell({ ...hurried() });
  const ran = await at(`send-many - ${content} --direct --chunk 1 --concurrency 1`, {
    stdin: rows,
  });
  expect(ran.code, ran.err).toBe(0);
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => /^\d/.test(it));
  const journal = join(runs, run, "journal.log");
  const bytes = readFileSync(journal);
  truncateSync(journal, bytes.indexOf("\n") + 1);
  const again = await at("send-many --resume last --sandbox --json");
  expect([again.code, again.json()], again.err).toEqual([
    0,
    expect.objectContaining({ accepted: 3, notSent: 0, unknown: 0 }),
  ]);
  expect(again.err).toContain("older than what the service holds");
  const sent = await at("message list --all --sandbox --fields to -o tsv --no-header");
  expect(sent.out.trim().split("\n").sort()).toEqual(["01000000001", "01000000002", "01000000003"]);
});

test("a scheduled run is called scheduled only where its groups could be read", async () => {
  const at = shell({ ...hurried() });
  const ran = await at(`send-many - ${content} --at +3h`, { stdin: rows });
  expect(ran.code, ran.err).toBe(0);
  const [group = ""] = /G4V\w+/.exec(ran.out) ?? [];
  await at(`group unschedule ${group} --sandbox -y`);
  const truncated = 'sandbox fault add --on "GET /messages/v4/groups/*" --do truncate';
  await at(truncated);
  const unread = await at("run reconcile last --sandbox --json");
  expect(unread.code, unread.err).not.toBe(0);
  expect(unread.err).not.toContain("nothing is unclear");
  await at("sandbox fault clear");
  await at(`${truncated} --times 1`);
  const read = await at("run reconcile last --sandbox --json");
  expect([read.code, read.json()], read.err).toEqual([
    0,
    expect.objectContaining({ state: "unscheduled", accepted: 0, notSent: 3 }),
  ]);
});
