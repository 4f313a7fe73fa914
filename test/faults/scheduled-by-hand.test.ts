/** Somebody else gives a group of a run an hour of its own while the run sends it. */
import { expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { errorOf } from "../support/money.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

/** Someone gives the group an hour of its own just before its send arrives. */
const scheduledAtSend = async (cut: "dropBefore" | undefined) => {
  const first = nextBatch();
  const [scheduled, reads] = [{ id: "", isHarmed: true }, { count: 0 }];
  const byHand = shell({ env: envFor(opened()) });
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => (scheduled.isHarmed && path.endsWith("/send") ? cut : undefined),
    on: async ({ method, path }, moment) => {
      if (moment !== "arrived") return;
      if (scheduled.id !== "" && method === "GET" && path.endsWith(scheduled.id)) reads.count += 1;
      if (scheduled.id !== "" || !path.endsWith("/send")) return;
      scheduled.id = /G4V\w+/.exec(path)?.[0] ?? "";
      expect((await byHand(`group schedule ${scheduled.id} +2h --yes`)).code).toBe(0);
    },
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const stopped = await at(sending("--json", "--settle", "1s"), { stdin: rowsOf(2, first) });
  const readAtStop = reads.count;
  scheduled.isHarmed = false;
  const held = await at("send-many --resume last --json");
  const readAtResume = reads.count - readAtStop;
  expect((await byHand(`group unschedule ${scheduled.id} --yes`)).code).toBe(0);
  const resumed = await at("send-many --resume last --json");
  await line.stop();
  const sent = opened().countsOf(numbersOf(2, first));
  expect([resumed.code, sent], resumed.err).toEqual([0, [1, 1]]);
  return {
    stopped,
    readAtStop,
    held,
    readAtResume,
    takeOff: `msg group unschedule ${scheduled.id}`,
  };
};

test("someone schedules a group right before it is sent: the run stops at once, and --resume sends it when it is off", async () => {
  const { stopped, readAtStop, held, takeOff } = await scheduledAtSend(undefined);
  for (const ran of [stopped, held]) {
    expect([ran.code, errorOf(ran)], ran.err).toEqual([
      10,
      expect.objectContaining({ outcome: "not_sent", hint: expect.stringContaining(takeOff) }),
    ]);
  }
  expect([errorOf(stopped)?.code, readAtStop]).toEqual(["ScheduledGroup", 1]);
});

test("the same where the send is lost: --resume stops at once, and sends it when it is off", async () => {
  const { stopped, held, readAtResume, takeOff } = await scheduledAtSend("dropBefore");
  expect([stopped.code, held.code, readAtResume], held.err).toEqual([11, 11, 1]);
  expect(held.err).toContain(takeOff);
});
