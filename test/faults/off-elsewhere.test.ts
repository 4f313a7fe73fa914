/** Rows that another machine scheduled, whose group someone takes off its schedule: this machine's run looks. */
import { expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf } from "./books.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

/** A run with a key on one machine, whose rows another one has scheduled; and the group that holds them. */
const takenRun = async () => {
  const first = nextBatch();
  const hour = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const words = `send-many - --from 0200000000 --text x --once k${first} --at ${hour} --json`;
  const send = async () => {
    const at = shell({ env: envFor(opened()), ...hurried() });
    const again = () => at(words, { stdin: `to\n${numbersOf(2, first).join("\n")}\n` });
    const sent = await again();
    expect(sent.code, sent.err).toBe(0);
    return { at, again, groups: JSON.parse(sent.out).groups };
  };
  const elder = await send();
  const { at, again, groups } = await send();
  expect(groups).toEqual(elder.groups);
  const reconcile = async () => {
    const { code, out, err } = await at("run reconcile last --json");
    return { code, err, record: JSON.parse(out) };
  };
  return { at, again, reconcile, group: `group %s ${groups[0]}` };
};

test("it is off: reconcile counts its rows as not sent, the key ends with exit 10, and nothing is scheduled", async () => {
  const { at, again, reconcile, group } = await takenRun();
  const still = await reconcile();
  expect([still.code, still.record], still.err).toMatchObject([
    0,
    { state: "scheduled", accepted: 2 },
  ]);
  expect((await at(group.replace("%s", "unschedule"))).code).toBe(0);
  const looked = await reconcile();
  const rows = { accepted: 0, notSent: 2, unknown: 0 };
  expect([looked.code, looked.record], looked.err).toMatchObject([0, rows]);
  const { code, err } = await again();
  expect([code, err]).toEqual([10, expect.stringContaining("off the schedule")]);
  expect((await at(`${group.replace("%s", "get")} --json`)).json()).toMatchObject({
    status: "PENDING",
  });
});

test("the key alone finds that it is off, and nothing is scheduled", async () => {
  const { at, again, group } = await takenRun();
  expect((await at(group.replace("%s", "unschedule"))).code).toBe(0);
  expect((await again()).code).toBe(10);
  expect((await at(`${group.replace("%s", "get")} --json`)).json()).toMatchObject({
    status: "PENDING",
  });
});

test("it was sent since: the run is done, and does not wait for its hour any more", async () => {
  const { at, reconcile, group } = await takenRun();
  expect((await at(group.replace("%s", "unschedule"))).code).toBe(0);
  expect((await at(`${group.replace("%s", "send")} --yes`)).code).toBe(0);
  const looked = await reconcile();
  expect([looked.code, looked.record], looked.err).toMatchObject([
    0,
    { state: "done", accepted: 2 },
  ]);
});
