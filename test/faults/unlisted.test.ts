/** The service's list of groups does not show the group of a run. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const isList = ({ method, path }: Passing): boolean => method === "GET" && path.endsWith("/groups");

/** The list is empty for as long as `hides` is true. */
const openHiding = async (hides: { yet: boolean }) =>
  openLine({
    to: opened().baseUrl,
    harm: (passing) =>
      isList(passing) && hides.yet
        ? { rewrite: (body) => JSON.stringify({ ...JSON.parse(body), groupList: {} }) }
        : undefined,
  });

test("nothing is sent behind it, the run stops and says why; --resume sends when it is shown", async () => {
  const first = nextBatch();
  const hides = { yet: true };
  const line = await openHiding(hides);
  const time = { ms: 0 };
  const at = shell({
    env: envFor(line),
    ticks: () => time.ms,
    wait: async (ms) => {
      time.ms += ms;
    },
  });
  const stopped = await at(sending("--settle", "1m", "--json"), { stdin: rowsOf(2, first) });
  const counted = () => opened().countsOf(numbersOf(2, first));
  const { error } = JSON.parse(stopped.err.slice(stopped.err.indexOf("{")));
  expect([stopped.code, error, counted()], stopped.err).toEqual([
    10,
    expect.objectContaining({
      code: "GroupUnlisted",
      outcome: "not_sent",
      message: expect.stringContaining("does not show a group of this run; nothing was sent"),
      hint: expect.stringMatching(/shows the group, resume: msg send-many --resume/),
    }),
    [0, 0],
  ]);
  hides.yet = false;
  const resumed = await at("send-many --resume last --json");
  await line.stop();
  expect([resumed.code, counted()], resumed.err).toEqual([0, [1, 1]]);
  // A minute of rests of up to five seconds, not a list in each turn.
  expect(line.requests.filter(isList).length).toBeLessThan(60);
});
