/** The service's answers about the group of a run cannot be used. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const isList = ({ method, path }: Passing): boolean => method === "GET" && path.endsWith("/groups");
const isRead = ({ method, path }: Passing): boolean =>
  method === "GET" && /\/groups\/\w+$/.test(path);

/** Answers say something else for as long as the first run is at work. */
const stoppedBy = async (isIt: (passing: Passing) => boolean, changes: object) => {
  const first = nextBatch();
  const state = { isHarmed: true };
  const rewrite = (body: string): string => JSON.stringify({ ...JSON.parse(body), ...changes });
  const line = await openLine({
    to: opened().baseUrl,
    harm: (passing) => (state.isHarmed && isIt(passing) ? { rewrite } : undefined),
  });
  const time = { ms: 0 };
  const at = shell({
    env: envFor(line),
    ticks: () => time.ms,
    wait: async (ms) => {
      time.ms += ms;
    },
  });
  const counted = () => opened().countsOf(numbersOf(2, first));
  const stopped = await at(sending("--settle", "1m", "--json"), { stdin: rowsOf(2, first) });
  const { error } = JSON.parse(stopped.err.slice(stopped.err.indexOf("{")));
  const before = counted();
  state.isHarmed = false;
  const resumed = await at("send-many --resume last --json");
  await line.stop();
  expect([stopped.code, before], stopped.err).toEqual([10, [0, 0]]);
  expect([resumed.code, counted()], resumed.err).toEqual([0, [1, 1]]);
  return { error, asked: line.requests.filter(isIt).length };
};

test("no list shows it: the run stops and says so, --resume sends when one does", async () => {
  const { error, asked } = await stoppedBy(isList, { groupList: {} });
  expect(error).toMatchObject({
    code: "GroupUnlisted",
    outcome: "not_sent",
    message: expect.stringContaining("does not show a group of this run; nothing was sent"),
    hint: expect.stringMatching(/shows the group, resume: msg send-many --resume/),
  });
  // A minute of rests of up to five seconds, not a list in each turn.
  expect(asked).toBeLessThan(60);
});

test("reads answer with another group: the run stops and says so, --resume sends", async () => {
  const { error } = await stoppedBy(isRead, { groupId: `G4V20260101000000${"0".repeat(16)}` });
  expect(error).toMatchObject({
    outcome: "not_sent",
    message: expect.stringContaining(
      "the answer is the one to another request: it is about G4V2026",
    ),
    hint: expect.stringContaining("resume: msg send-many --resume"),
  });
});
