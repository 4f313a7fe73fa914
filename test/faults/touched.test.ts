/** Somebody else deletes a group of a run while the run is at work on it. */
import { once } from "node:events";
import * as v from "valibot";
import { expect, test } from "vitest";
import { ended } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { errorOf } from "../support/money.ts";
import { shell } from "../support/msg.ts";
import { atHome } from "./at-home.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

/** The group that is read, or is to be sent, is deleted just before that, once. */
const deletedAt = async (isIt: (passing: Passing) => boolean) => {
  const first = nextBatch();
  const stdin = rowsOf(3, first);
  const done = { yet: false };
  const line = await openLine({
    to: opened().baseUrl,
    on: async (passing, moment) => {
      if (done.yet || moment !== "arrived" || !isIt(passing)) return;
      done.yet = true;
      const id = /G4V\w+/.exec(passing.path)?.[0] ?? "";
      const { code } = await shell({ env: envFor(opened()) })(`group delete ${id} --yes`);
      expect(code).toBe(0);
    },
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const stopped = await at(sending("--staged", "--chunk", "1", "--json"), { stdin });
  const counted = () => opened().countsOf(numbersOf(3, first));
  const before = counted();
  const resumed = await at("send-many --resume last --json");
  await line.stop();
  return { stopped, before, resumed, after: counted() };
};

test.each([
  ["verified", ({ method, path }: Passing) => method === "GET" && /G4V\w+$/.test(path)],
  ["sent", ({ path }: Passing) => path.endsWith("/send")],
] as const)(
  "a group that is deleted before it is %s: the run stops and says so, --resume fills another",
  async (_, isIt) => {
    const { stopped, before, resumed, after } = await deletedAt(isIt);
    const { error } = JSON.parse(stopped.err);
    expect([stopped.code, error], stopped.err).toEqual([
      10,
      expect.objectContaining({
        code: "GroupTouched",
        outcome: "not_sent",
        message: expect.stringContaining("has deleted a group of this run before it was sent"),
        hint: expect.stringMatching(/to fill another one instead, resume: msg send-many --res/),
      }),
    ]);
    expect(before).toEqual([0, 0, 0]);
    expect([resumed.code, after], resumed.err).toEqual([0, [1, 1, 1]]);
  },
);

test("someone adds to a group whose add is in doubt: another is filled, and no message of theirs goes out", async () => {
  const first = nextBatch();
  const [other = ""] = numbersOf(1, nextBatch());
  const adds = { count: 0 };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method }) => {
      if (method === "PUT") adds.count += 1;
      return method === "PUT" && adds.count === 1 ? "dropAfter" : undefined;
    },
    on: async ({ method, path }, moment) => {
      if (method !== "PUT" || moment !== "arrived" || adds.count !== 2) return;
      const id = /G4V\w+/.exec(path)?.[0] ?? "";
      const words = `group add ${id} - --from 0200000000 --text x`;
      const byHand = shell({ env: envFor(opened()) });
      const { code, err } = await byHand(words, { stdin: `to\n${other}\n` });
      expect(code, err).toBe(0);
    },
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const ran = await at(sending("--staged", "--json"), { stdin: rowsOf(3, first) });
  await line.stop();
  expect([ran.code, ran.json(), adds], ran.err).toMatchObject([0, { accepted: 3 }, { count: 3 }]);
  expect(opened().countsOf([...numbersOf(3, first), other])).toEqual([1, 1, 1, 0]);
});

test("someone sends a group that is being filled, and its messages are not listed yet: each row once", async () => {
  const first = nextBatch();
  const done = { sent: false, listed: false };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => {
      if (!path.endsWith("/messages/v4/list") || !done.sent || done.listed) return undefined;
      done.listed = true;
      return { rewrite: (body) => JSON.stringify({ ...JSON.parse(body), messageList: {} }) };
    },
    on: async ({ method, path }, moment) => {
      if (done.sent || moment !== "performed" || method !== "PUT") return;
      done.sent = true;
      const id = /G4V\w+/.exec(path)?.[0] ?? "";
      const { code, err } = await shell({ env: envFor(opened()) })(`group send ${id} --yes`);
      expect(code, err).toBe(0);
    },
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const words = sending("--chunk", "1", "--concurrency", "1", "--json");
  const { code, err } = await at(words, { stdin: rowsOf(3, first) });
  await line.stop();
  expect(done).toEqual({ sent: true, listed: true });
  expect([code, opened().countsOf(numbersOf(3, first))], err).toEqual([0, [1, 1, 1]]);
});

test.each([
  ["takes a message out of", false, "send-many --resume last", [1, 1, 1, 1], 3],
  [
    "puts another message into the place of one of",
    true,
    "send-many --resume last",
    [1, 1, 1, 1],
    3,
  ],
  ["takes a message out of", false, "run cancel last", [0, 0, 1, 0], 3],
  // Whose send is in doubt.
  ["takes a message out of", false, "send-many --resume last", [1, 1, 1, 1], 1],
] as const)(
  "someone %s a filled group, and sends it (another: %s): %s knows which row is missing",
  async (_, isReplaced, words, sent, missing) => {
    const first = nextBatch();
    const stdin = rowsOf(4, first);
    const numbers = numbersOf(4, first);
    const line = await openLine({
      to: opened().baseUrl,
      harm: ({ path }) => (path.endsWith("/send") ? "dropBefore" : undefined),
    });
    const flags = ["--group-size", "2", "--chunk", "2", "--settle", "0", "--json"];
    const env = envFor(opened());
    const at = shell(hurried());
    const stopped = await at(sending(...flags), { stdin, env: envFor(line) });
    await line.stop();
    const id = JSON.parse(stopped.out).groups[missing === 1 ? 0 : 1];
    const list = await at(`group messages ${id} --json`, { env });
    const { messageId } = JSON.parse(list.out).find(
      (it: { to: string }) => it.to === numbers[missing],
    );
    expect((await at(`group remove ${id} ${messageId} --yes`, { env })).code).toBe(0);
    const adding = ["group", "add", id, "-", "--from", "0200000000", "--text", "by hand"];
    const other = { stdin: "to\n01099999999\n", env };
    if (isReplaced) expect((await at(adding, other)).code).toBe(0);
    expect((await at(`group send ${id} --yes`, { env })).code).toBe(0);
    const ran = await at(`${words} --json`, { env });
    const accepted = sent.filter((it) => it === 1).length;
    expect([ran.code, opened().countsOf(numbers)], ran.err).toEqual([0, sent]);
    expect(ran.json()).toMatchObject({ total: 4, accepted, notSent: 4 - accepted });
  },
);

/** A copy of an add arrives behind the look at its group, as a gateway may repeat one that came with a token. */
const copiedAdd = async (
  words: readonly string[],
  stdin: string,
  isBehind: (passing: Passing) => boolean,
) => {
  const env = envFor(opened());
  const direct = shell({ env });
  const done = { id: "", yet: false };
  const line = await openLine({
    to: opened().baseUrl,
    on: async (passing, moment) => {
      const { method, path } = passing;
      if (method === "PUT") done.id = /G4V\w+/.exec(path)?.[0] ?? "";
      const { id } = done;
      if (done.yet || moment !== "arrived" || id === "" || !isBehind(passing)) return;
      done.yet = true;
      const { out } = await direct(`api GET /messages/v4/list?groupId=${id}`);
      const messages = Object.values<Record<string, unknown>>(JSON.parse(out).messageList).map(
        ({ to, from, text, customFields }) => ({ to, from, text, customFields }),
      );
      const body = { stdin: JSON.stringify({ messages }) };
      const { code, err } = await direct(
        `api PUT /messages/v4/groups/${id}/messages --input -`,
        body,
      );
      expect(code, err).toBe(0);
    },
  });
  const at = shell(hurried());
  const ran = await at(words, { stdin, env: envFor(line) });
  await line.stop();
  return { ran, at, env, done };
};

test("the service refuses a copy of each row: the rows count as accepted, and a retry sends none of them", async () => {
  const first = nextBatch();
  const numbers = numbersOf(3, first);
  const [one, two, three] = numbers;
  const stdin = `to,from\n${one},0200000000\n${two},0200000000\n${three},0299999999\n`;
  const words = sending("--once", `copied-${first}`, "--json");
  const { ran, at, env, done } = await copiedAdd(words, stdin, ({ path }) =>
    path.endsWith("/send"),
  );
  expect([ran.code, done.yet], ran.err).toEqual([3, true]);
  expect(ran.json()).toMatchObject({ accepted: 2, refused: 1 });
  const other = shell(hurried());
  const elsewhere = await other(words, { stdin, env });
  expect(elsewhere.json(), elsewhere.err).toMatchObject({ accepted: 2, refused: 1 });
  for (const retrying of [at, other]) {
    const retried = await retrying("send-many --retry-refused last --again --json", { env });
    expect(retried.json(), retried.err).toMatchObject({ total: 1 });
  }
  expect(opened().countsOf(numbers)).toEqual([1, 1, 0]);
});

test.each([
  ["before the group is sent: another is filled, each row once", "/groups", 1],
  ["right before the group is sent: the run says so", "/send", 2],
])("the service takes a copy of each row %s", async (_what, end, times) => {
  const first = nextBatch();
  const words = sending("--dedupe", "off", "--json");
  const { ran, done } = await copiedAdd(words, rowsOf(3, first), ({ path }) => path.endsWith(end));
  expect([ran.code, done.yet], ran.err).toEqual([0, true]);
  expect(opened().countsOf(numbersOf(3, first))).toEqual([times, times, times]);
  const says = `counts more messages in group ${done.id} than msg put into it`;
  expect(ran.err.includes(says)).toBe(times > 1);
});

test.each([
  ["the answer to its send", undefined],
  // Its record shows it, and the answer to the second send.
  ["nothing before its record", "dropBefore"],
] as const)(
  "someone takes a message out of a group right before it is sent, and %s says so: the run ends with 10, --resume sends it",
  async (_, harm) => {
    const first = nextBatch();
    const numbers = numbersOf(3, first);
    const env = envFor(opened());
    const direct = shell({ env });
    const done = { sends: 0 };
    const line = await openLine({
      to: opened().baseUrl,
      harm: ({ path }) => (path.endsWith("/send") && done.sends === 1 ? harm : undefined),
      on: async ({ path }, moment) => {
        if (moment !== "arrived" || !path.endsWith("/send")) return;
        done.sends += 1;
        if (done.sends > 1) return;
        const id = /G4V\w+/.exec(path)?.[0] ?? "";
        const { out } = await direct(`message list --group-id ${id} --to ${numbers[2]} --json`);
        const words = ["group", "remove", id, JSON.parse(out)[0].messageId, "--yes"];
        expect((await direct(words)).code).toBe(0);
      },
    });
    const at = shell(hurried());
    const stopped = await at(sending("--json"), { stdin: rowsOf(3, first), env: envFor(line) });
    await line.stop();
    const sent = () => opened().countsOf(numbers);
    expect([stopped.code, sent()], stopped.err).toEqual([10, [1, 1, 0]]);
    expect(stopped.json()).toMatchObject({ accepted: 2, notSent: 1, unknown: 0 });
    expect(errorOf(stopped)).toEqual(
      expect.objectContaining({
        code: "GroupTouched",
        outcome: "partial",
        message: expect.stringMatching(/took messages out of a group .*; 2 accepted, 1 not sent$/),
        hint: expect.stringMatching(/to send the others as well, resume: msg send-many --resume/),
      }),
    );
    const resumed = await at("send-many --resume last --json", { env });
    expect([resumed.code, sent()], resumed.err).toEqual([0, [1, 1, 1]]);
    expect(resumed.json()).toMatchObject({ accepted: 3, notSent: 0 });
  },
);

test("copies of accepted rows in the group make no refused row of the run an accepted one", async () => {
  const first = nextBatch();
  const [one, two, three] = numbersOf(3, first);
  const stdin = `to,from\n${one},0200000000\n${two},0200000000\n${three},0299999999\n`;
  const words = sending("--dedupe", "off", "--json");
  const { ran, at, env } = await copiedAdd(words, stdin, ({ path }) => path.endsWith("/send"));
  expect(ran.json(), ran.err).toMatchObject({ accepted: 2, refused: 1 });
  const shown = await at("run show last --json", { env });
  expect(shown.json(), shown.err).toMatchObject({ accepted: 2, refused: 1 });
});

/** Another run has sent the rows of a filled group, and the process is interrupted as it learns that. */
const leftFilled = async (stdin: string) => {
  const env = envFor(opened());
  const other = await shell({ env, ...hurried() })(sending("--json"), { stdin });
  expect(other.code, other.err).toBe(0);
  const at = { isFilled: false, interrupt: async (): Promise<void> => undefined };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) => {
      if (method === "PUT") at.isFilled = true;
      if (at.isFilled || !(method === "GET" && path === "/messages/v4/groups")) return undefined;
      return { rewrite: (body) => JSON.stringify({ ...JSON.parse(body), groupList: {} }) };
    },
    on: async ({ method, path }, moment) => {
      if (!at.isFilled || moment !== "performed" || method !== "GET") return;
      if (path !== "/messages/v4/groups") return;
      await at.interrupt();
    },
  });
  const msg = atHome();
  const child = msg.start(sending("--json"), { stdin, env: envFor(line) });
  at.interrupt = async () => {
    child.kill("SIGINT");
    // It says that it waits for the answer.
    await once(child.stderr, "data");
  };
  const left = await ended(child);
  await line.stop();
  const { groups, state, accepted } = v.parse(summary, JSON.parse(left.out));
  expect([left.code, state, accepted, errorOf(left)], left.err).toEqual([
    130,
    "open",
    3,
    expect.objectContaining({ hint: expect.stringMatching(/^resume: msg send-many --resume/) }),
  ]);
  // Its own comes before those of others.
  const [id = ""] = groups;
  return { msg, id, resume: async () => msg(["send-many", "--resume", "last", "--json"], { env }) };
};

const summary = v.object({ groups: v.array(v.string()), state: v.string(), accepted: v.number() });

test("someone schedules a filled group whose rows another run has sent: msg says how to take it off", async () => {
  const first = nextBatch();
  const env = envFor(opened());
  const { msg, id, resume } = await leftFilled(rowsOf(3, first));
  const hour = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await msg(`group schedule ${id} ${hour} --yes --again`, { env });
  expect(scheduled.code, scheduled.err).toBe(0);
  const stopped = await resume();
  expect([stopped.code, errorOf(stopped)], stopped.err).toMatchObject([
    10,
    {
      code: "GroupTouched",
      message: expect.stringMatching(/has changed a group of this run: it is scheduled for/),
      hint: expect.stringMatching(`msg group unschedule ${id} takes it off .*--resume`),
    },
  ]);
  expect((await msg(`group unschedule ${id} --yes`, { env })).code).toBe(0);
  const resumed = await resume();
  expect([resumed.code, errorOf(resumed).code], resumed.err).toEqual([7, "SentBefore"]);
  const group = await msg(`group get ${id} --fields status -o tsv --no-header`, { env });
  expect(group.out).toBe("DELETED\n");
  expect(opened().countsOf(numbersOf(3, first))).toEqual([1, 1, 1]);
});

test("someone sends a filled group whose rows another run has sent: msg says that they were sent twice", async () => {
  const first = nextBatch();
  const env = envFor(opened());
  const { msg, id, resume } = await leftFilled(rowsOf(3, first));
  expect((await msg(`group send ${id} --yes --again`, { env })).code).toBe(0);
  expect(opened().countsOf(numbersOf(3, first))).toEqual([2, 2, 2]);
  for (const ran of [await resume(), await resume()])
    expect([ran.code, ran.json(), errorOf(ran)], ran.err).toMatchObject([
      10,
      { total: 3, accepted: 3, notSent: 0, unknown: 0 },
      {
        code: "SentTwice",
        message: expect.stringMatching(/whose rows are in another: 3 messages twice$/),
      },
    ]);
  const shown = await msg("run show last --json", { env });
  expect([shown.code, shown.json()], shown.err).toMatchObject([0, { state: "done", accepted: 3 }]);
});
