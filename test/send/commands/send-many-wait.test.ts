/** `send-many --wait`: the summary tells what arrived as well. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fault } from "../../commands/run/in-doubt.ts";
import { shell } from "../../support/msg.ts";

const line = "send-many - --sandbox --from 0200000000 --text x --wait --json";
const rows = "to\n01000000001\n01000000002\n01000000003\n";

test("exit 0 when all arrived, whatever the number of groups", async () => {
  const at = shell();
  await at("sandbox set --sandbox --tick 0ms");
  const ran = await at(`${line} --staged --chunk 1 --group-size 1`, { stdin: rows });
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ accepted: 3, delivered: 3, failed: 0, pending: 0 }),
  ]);
});

test("exit 3 when one did not arrive, 8 when time is over; a resumed run only waits", async () => {
  const at = shell();
  await at("sandbox set --sandbox --tick 0ms");
  const failed = await at(line, { stdin: "to\n01000003104\n01000000001\n" });
  expect([failed.code, failed.json()]).toEqual([
    3,
    expect.objectContaining({ accepted: 2, delivered: 1, failed: 1 }),
  ]);
  const [, look = ""] = /"hint":"msg (.*) shows them with their codes/.exec(failed.err) ?? [];
  expect((await at(`${look} --json`)).json()).toMatchObject([{ to: "01000003104", code: "3104" }]);
  await at("sandbox set --sandbox --tick 1h");
  const pending = await at(`${line} --within 0`, { stdin: rows });
  expect([pending.code, pending.json()]).toEqual([8, expect.objectContaining({ pending: 3 })]);
  await at("sandbox clock advance 5h");
  const resumed = await at("send-many --resume last --wait --sandbox --json");
  expect([resumed.code, resumed.json()]).toEqual([0, expect.objectContaining({ delivered: 3 })]);
});

test.each(["--within soon", "--settle soon", "--rate 0", "--rate -1"])(
  "%s is found before a row is read and a question is asked: no run is left",
  async (flags) => {
    const at = shell();
    const { code, questions } = await at(`${line} ${flags}`, {
      stdin: rows,
      tty: 100,
      answers: ["y"],
    });
    expect([code, questions]).toEqual([2, []]);
    expect((await at("run list --json")).json()).toEqual([]);
    expect((await at("group list --sandbox --json")).json()).toEqual([]);
  },
);

/** The second is no user of Kakao Talk: its text goes out as an SMS in its place. */
const kakao = JSON.stringify(
  ["01000000001", "01000003104"].map((to) => ({
    ...{ to, from: "0200000000", text: "hello" },
    kakaoOptions: { pfId: "KA01PF260101000000000SANDBOX0001" },
  })),
);

test("a message that another arrived in place of is one that arrived; --results has one line for it", async () => {
  const at = shell();
  await at("sandbox set --sandbox --tick 0ms");
  const path = join(at.folder, "r.jsonl");
  const flags = ["--sandbox", "--wait", "--json", "--results", path];
  const ran = await at(["send-many", "-", ...flags], { stdin: kakao });
  const summary = { accepted: 2, delivered: 2, failed: 0, pending: 0 };
  expect([ran.code, ran.json()], ran.err).toEqual([0, expect.objectContaining(summary)]);
  const results = () => readFileSync(path, "utf8").trim().split("\n");
  rmSync(path);
  await at(["send-many", "--resume", "last", ...flags]);
  expect(results().map((it) => JSON.parse(it).row)).toEqual([2, 1]);
  const [groupId] = JSON.parse(ran.out).groups;
  expect((await at(`group wait ${groupId} --sandbox`)).code).toBe(0);
});

test("a scheduled group that failed at its hour was refused as a whole: exit 3, and the counts add up", async () => {
  const at = shell();
  await at("sandbox set --sandbox --tick 0ms");
  const hour = new Date(Date.now() + 3_600_000).toISOString();
  const later = line.replace("--wait", `--at ${hour} --chunk 1 --group-size 1`);
  expect((await at(later, { stdin: rows })).code).toBe(0);
  await at("sandbox set --sandbox --quota 1");
  await at("sandbox clock advance 2h");
  const ran = await at("send-many --resume last --wait --sandbox --json");
  expect([ran.code, ran.json()], ran.err).toEqual([
    3,
    expect.objectContaining({ accepted: 1, refused: 2, delivered: 1, failed: 0, pending: 0 }),
  ]);
});

test("what an operator called accepted without a group: nobody knows what arrived, exit 8", async () => {
  const at = shell();
  await fault(at, "POST /messages/v4/send-many", "drop-before");
  const begun = await at(line.replace("--wait", "--direct --no-tag --settle 0"), { stdin: rows });
  expect(begun.code, begun.err).toBe(11);
  expect((await at("run reconcile last --sandbox --settle 0 --accepted 1")).code).toBe(0);
  const ran = await at("send-many --resume last --wait --within 0 --sandbox --json");
  expect([ran.code, ran.json()], ran.err).toEqual([
    8,
    expect.objectContaining({ accepted: 3, delivered: 0, failed: 0, pending: 3 }),
  ]);
  const { error } = JSON.parse(ran.err.split("\n").find((it) => it.startsWith("{")) ?? "");
  expect(error.message).toBe("what became of 3 messages is not known");
  expect(error.hint).not.toContain("waits again");
});

test("stopped while it waits: exit 130, and what was sent is not called unchanged", async () => {
  const at = shell();
  await at("sandbox set --sandbox --tick 1h");
  const stop = new AbortController();
  const wait = async (): Promise<void> => stop.abort();
  const ran = await at(line, { stdin: rows, signal: stop.signal, wait });
  const { error } = JSON.parse(ran.err.split("\n").find((it) => it.startsWith("{")) ?? "");
  expect([ran.code, error.message]).toEqual([
    130,
    "it was accepted, but its outcome is unknown: interrupted",
  ]);
});
