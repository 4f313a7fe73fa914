/** A service that does not give custom fields of groups back: messages carry them, and each row is sent once. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Line, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const rows = 8;
const words = (...more: readonly string[]) =>
  sending("--chunk", "2", "--group-size", "4", "--json", ...more);
const errorOf = (err: string) => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;
const isSend = ({ method, path }: Passing): boolean => method === "POST" && path.endsWith("/send");

const set = async (groupFields: string): Promise<void> => {
  const answer = await fetch(`${opened().baseUrl}/_sandbox/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ groupFields }),
  });
  expect(await answer.json()).toMatchObject({ groupFields });
};
beforeAll(() => set("dropped"));

const list = () => {
  const first = nextBatch();
  const sent = (): number[] => opened().countsOf(numbersOf(rows, first));
  return { stdin: rowsOf(rows, first), sent };
};

const emptyList = { startKey: null, nextKey: null, limit: 1, messageList: {} };

const once = Array.from({ length: rows }, () => 1);
const groupCount = (): number => opened().rows("SELECT seq FROM groups").length;

test("the first run finds it out and remembers it; other machines send nothing of its rows", async () => {
  const { stdin, sent } = list();
  const env = envFor(opened());
  const at = shell();
  const first = await at(words(), { stdin, env });
  expect([first.code, sent()], first.err).toEqual([0, once]);
  expect(existsSync(join(at.folder, "state/group-fields.json"))).toBe(true);
  const other = shell(hurried());
  // An empty one says nothing of any rows.
  expect((await at("group create", { env })).code).toBe(0);
  const again = await other(words(), { stdin, env });
  expect([again.code, errorOf(again.err).code, sent()]).toEqual([7, "SentBefore", once]);
  // It knows now: nothing more is made to find it out.
  const before = groupCount();
  const third = await other(words(), { stdin, env });
  expect([third.code, groupCount(), sent()]).toEqual([7, before, once]);
});

test("a machine that lost its folder behind its first send goes on with the rest", async () => {
  const { stdin, sent } = list();
  const sends = { count: 0 };
  const cut = await openLine({
    to: opened().baseUrl,
    harm: (passing) => {
      if (isSend(passing)) sends.count += 1;
      return isSend(passing) && sends.count > 1 ? "dropBefore" : undefined;
    },
  });
  const stopped = await shell()(words("--settle", "0"), { stdin, env: envFor(cut) });
  expect(stopped.code).toBe(11);
  expect(sent()).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  const later: Line = await openLine({
    to: opened().baseUrl,
    date: () => new Date(Date.now() + 120_000),
  });
  const rest = await shell()(words("--resume", "last"), { stdin, env: envFor(later) });
  await Promise.all([cut.stop(), later.stop()]);
  expect([rest.code, sent()], rest.err).toEqual([0, once]);
});

test("a run whose filled groups another machine has deleted, and sent, sees that and ends", async () => {
  const { stdin, sent } = list();
  const cut = { lists: 0, isMended: false };
  const line: Line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) => {
      if (method !== "GET" || path !== "/messages/v4/groups") return undefined;
      cut.lists += 1;
      return cut.lists > 2 && !cut.isMended ? "dropBefore" : undefined;
    },
  });
  const later: Line = await openLine({
    to: opened().baseUrl,
    date: () => new Date(Date.now() + 120_000),
  });
  const at = shell({ ...hurried() });
  const stopped = await at(words("--settle", "0"), { stdin, env: envFor(line) });
  expect([stopped.code, sent()]).toEqual([9, once.map(() => 0)]);
  const other = await shell()(words(), { stdin, env: envFor(later) });
  expect([other.code, sent()], other.err).toEqual([0, once]);
  cut.isMended = true;
  const asked = line.requests.length;
  const resumed = await at("send-many --resume last --settle 2s --json", { env: envFor(line) });
  await Promise.all([line.stop(), later.stop()]);
  expect([resumed.code, errorOf(resumed.err).code, sent()]).toEqual([7, "SentBefore", once]);
  expect(line.requests.length - asked).toBeLessThan(20);
});

test("parts, keys and what workers sent are known by messages too", async () => {
  const { stdin, sent } = list();
  const env = envFor(opened());
  for (const part of ["1/2", "2/2"]) {
    const ran = await shell()(words("--part", part, "--once", "july"), { stdin, env });
    expect(ran.code, ran.err).toBe(0);
  }
  expect(sent()).toEqual(once);
  const key = await shell()(words("--once", "july"), { stdin, env });
  expect([key.code, errorOf(key.err).code]).toEqual([7, "OtherParts"]);
  const same = "--source - --once july --from 0200000000 --text x --json";
  const shown = await shell()(`run show ${same}`, { stdin, env });
  expect(JSON.parse(shown.out).at(-1)).toMatchObject({ state: "done", accepted: rows, notSent: 0 });
});

test.each(["cancel", "reconcile"])(
  "a machine that has made no group knows what another one has sent: run %s, and an export",
  async (verb) => {
    const { stdin, sent } = list();
    const line = await openLine({
      to: opened().baseUrl,
      harm: ({ method, path }) =>
        method === "POST" && path === "/messages/v4/groups" ? "dropBefore" : undefined,
    });
    const env = envFor(opened());
    const at = shell(hurried());
    const stopped = await at(words("--settle", "0"), { stdin, env: envFor(line) });
    await line.stop();
    const other = await shell(hurried())(words(), { stdin, env });
    expect([stopped.code, other.code, sent()], other.err).toEqual([10, 0, once]);
    const exported = await at("run export last -o csv --fields status", { env });
    expect(exported.out.split("\n")).toEqual(["status", ...once.map(() => "accepted"), ""]);
    const shown = await at(`run ${verb} last --json`, { env });
    expect(shown.json(), shown.err).toMatchObject({ accepted: rows, notSent: 0 });
  },
);

const withoutFields = (body: string): string =>
  body.replaceAll(/"customFields":\{[^}]*\}/g, '"customFields":{}');

test("only lists leave them out: groups that were filled without are filled anew", async () => {
  const { stdin, sent } = list();
  await set("returned");
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) =>
      method === "GET" && path === "/messages/v4/groups" ? { rewrite: withoutFields } : undefined,
  });
  const first = await shell()(words(), { stdin, env: envFor(line) });
  expect([first.code, sent()], first.err).toEqual([0, once]);
  const again = await shell()(words(), { stdin, env: envFor(line) });
  await line.stop();
  await set("dropped");
  expect([again.code, errorOf(again.err).code, sent()]).toEqual([7, "SentBefore", once]);
});

test("groups that a run filled before another one found it out are filled again", async () => {
  const { stdin, sent } = list();
  await set("returned");
  const cut = { lists: 0, isMended: false };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) => {
      if (method !== "GET" || path !== "/messages/v4/groups") return undefined;
      cut.lists += 1;
      return cut.lists > 2 && !cut.isMended ? "dropBefore" : { rewrite: withoutFields };
    },
  });
  const env = envFor(line);
  const at = shell({ ...hurried() });
  const stopped = await at(words("--settle", "0"), { stdin, env });
  expect([stopped.code, sent()], stopped.err).toEqual([9, once.map(() => 0)]);
  const { run } = JSON.parse(stopped.out);
  cut.isMended = true;
  const found = await at(words(), { stdin: list().stdin, env });
  const resumed = await at(`send-many --resume ${run} --json`, { env });
  expect([found.code, resumed.code, sent()], resumed.err).toEqual([0, 0, once]);
  const other = await shell()(words(), { stdin, env });
  await line.stop();
  await set("dropped");
  expect([other.code, sent()], other.err).toEqual([7, once]);
});

test("an answer to another request in place of a group's messages: nothing is sent, and --resume does not send twice", async () => {
  const { stdin, sent } = list();
  const first = await shell()(words(), { stdin, env: envFor(opened()) });
  expect([first.code, sent()], first.err).toEqual([0, once]);
  const headers = { "content-type": "application/json" };
  const odd = { status: 200, headers, body: JSON.stringify(emptyList) };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) =>
      method === "GET" && path.startsWith("/messages/v4/list") ? odd : undefined,
  });
  const second = shell();
  const misled = await second(words(), { stdin, env: envFor(line) });
  await line.stop();
  expect([misled.code, errorOf(misled.err).code, sent()]).toEqual([10, "UnreadableAnswer", once]);
  const again = await second(words(), { stdin, env: envFor(opened()) });
  expect([again.code, sent()], again.err).toEqual([7, once]);
});
