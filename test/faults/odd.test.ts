/** The service answers something odd: it is never taken for more than it proves. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, openService, rowsOf, type Service, sending } from "./books.ts";
import { type LineOptions, openLine, type Rewritten } from "./line.ts";

const clock = { aheadMs: 0 };
const now = (): Date => new Date(Date.now() + clock.aheadMs);
const service: { it?: Service } = {};
beforeAll(async () => {
  service.it = await openService(freshFolder(), now);
});
afterAll(() => service.it?.stop());

const rows = 4;
const once = [1, 1, 1, 1];
const batch = { next: 1_800_000 };

/** One run in this process over a line that does harm; and what a look at it says afterwards. */
const over = async (harm: LineOptions["harm"], ...flags: readonly string[]) => {
  const { it } = service;
  if (!it) throw new Error("no service");
  batch.next += 10;
  const first = batch.next;
  const line = await openLine({ to: it.baseUrl, ...(harm && { harm }) });
  const at = shell({ env: envFor(line), now, ...hurried() });
  const ran = await at(sending("--json", ...flags), { stdin: rowsOf(rows, first) });
  const shown = await at("run show last --json");
  await line.stop();
  const books = it.books();
  const sent = numbersOf(rows, first).map((to) => books.get(to) ?? 0);
  return { ...ran, sent, shown, requests: line.requests };
};

const without = (...names: readonly string[]): Rewritten => ({
  rewrite: (body) => {
    const record: unknown = JSON.parse(body);
    if (typeof record === "object" && record)
      for (const it of names) Reflect.deleteProperty(record, it);
    return JSON.stringify(record);
  },
});
const instead = (from: RegExp, to: string): Rewritten => ({
  rewrite: (body) => body.replaceAll(from, to),
});

const counted = { adds: 0 };
/** Below nothing, and above all rows in turns. */
const miscounted = (body: string): string =>
  body.replaceAll(/"errorCount":\d+/g, () => {
    counted.adds += 1;
    return `"errorCount":${counted.adds % 2 === 0 ? 9 : -1}`;
  });

const odd: readonly (readonly [string, Rewritten])[] = [
  ["a record without a count", without("count", "errorCount")],
  ["a record without what was charged", without("balance", "point", "log", "resultList")],
  ["counts that are none", instead(/"(registeredSuccess|errorCount)":\d+/g, '"$1":null')],
  ["counts below nothing", instead(/"registeredFailed":\d+/g, '"registeredFailed":-1')],
  ["more or less refused than there is", { rewrite: (body) => miscounted(body) }],
  ["fewer rows than were sent", instead(/"registeredSuccess":\d+/g, '"registeredSuccess":1')],
  ["an id that is a number", instead(/"groupId":"[^"]*"/g, '"groupId":7')],
  ["nothing but braces", { rewrite: () => "{}" }],
  ["a list", { rewrite: () => "[]" }],
];

const paths: Readonly<Record<string, readonly string[]>> = {
  G: ["--staged", "--chunk", "2"],
  direct: ["--direct", "--chunk", "2", "--concurrency", "1"],
};

test.each(Object.entries(paths))(
  "N09 S03 path %s: any one write is answered oddly: each row is sent once, and the journal can be read",
  async (_, flags) => {
    const calm = await over(undefined, ...flags);
    const writes = calm.requests.filter(({ method }) => method !== "GET");
    for (const [what, harm] of odd)
      for (const { number } of writes) {
        const ran = await over((it) => (it.number === number ? harm : undefined), ...flags);
        const told = { what, number, code: ran.code, sent: ran.sent, shown: ran.shown.code };
        expect(told, ran.err).toEqual({ what, number, code: 0, sent: once, shown: 0 });
        expect(ran.shown.json()).toMatchObject({ accepted: rows, refused: 0, unknown: 0 });
      }
  },
  120_000,
);

/** Lists in which what was sent cannot be found, although it was. */
const blind: readonly (readonly [string, (body: string) => string])[] = [
  ["nothing but braces", () => "{}"],
  ["no list in its place", () => '{"messageList":"none"}'],
  [
    "messages that tell nothing of their marks",
    (body) => body.replaceAll(/"customFields":/g, '"x":'),
  ],
];

test.each(blind)(
  "N06 a list that is none is no proof that a call was not performed, however old it is: %s",
  async (_, rewrite) => {
    clock.aheadMs = 0;
    const ran = await over(
      ({ method, path }) => {
        if (method === "GET" && path.endsWith("/list")) return { rewrite };
        const late = (): string => {
          clock.aheadMs = 17 * 60_000;
          return "";
        };
        return method === "POST" ? { rewrite: late } : undefined;
      },
      ...["--direct", "--settle", "2s"],
    );
    const posts = ran.requests.filter(({ method }) => method === "POST");
    expect([ran.code, posts.length, ran.sent], ran.err).toEqual([11, 1, once]);
  },
);

test("a creation that is answered with the group of another one makes none: its rows are in no group", async () => {
  const seen: string[] = [];
  const again: Rewritten = {
    rewrite: (body) => {
      seen.push(body);
      return seen.length === 2 ? (seen[0] ?? "") : body;
    },
  };
  const ran = await over(
    ({ method, path }) => (method === "POST" && path.endsWith("/groups") ? again : undefined),
    ...["--staged", "--chunk", "2", "--group-size", "2"],
  );
  expect([ran.code, ran.sent, seen.length], ran.err).toEqual([0, once, 3]);
});

test("S01 a call whose group is made and not sent yet is in doubt: its messages are not called accepted", async () => {
  const lost = { yet: false };
  const pending = instead(/"status":"(SENDING|COMPLETE)"/g, '"status":"PENDING"');
  const ran = await over(
    ({ method, path }) => {
      if (method === "GET" && path.includes("/groups/")) return pending;
      if (method !== "POST" || lost.yet) return undefined;
      lost.yet = true;
      return "dropAfter";
    },
    ...["--direct", "--settle", "2s"],
  );
  expect(ran.code, ran.err).toBe(11);
  expect(ran.shown.json()).toMatchObject({ accepted: 0, unknown: rows });
});

test("N06 a send of --once that cannot be looked for ends as unknown, exit 11, however old it is", async () => {
  const { it } = service;
  if (!it) throw new Error("no service");
  clock.aheadMs = 0;
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ method, path }) => {
      if (method === "POST") return "dropAfter";
      return path.endsWith("/list") ? "failBefore" : undefined;
    },
  });
  const at = shell({ env: envFor(line), now, ...hurried() });
  const send =
    "send --to 01000000001 --from 0200000000 --text x --once order-1 --no-tag --settle 0";
  const codes = [(await at(send)).code];
  clock.aheadMs = 17 * 60_000;
  codes.push((await at(send)).code, (await at(send)).code);
  await line.stop();
  expect(codes).toEqual([11, 11, 11]);
});

test("S03 the answer to a send to several is odd: it is settled, each is sent to once, and the counts are true", async () => {
  const { it } = service;
  if (!it) throw new Error("no service");
  clock.aheadMs = 0;
  for (const [what, harm] of odd) {
    batch.next += 10;
    const numbers = numbersOf(2, batch.next);
    const isHit = { yet: false };
    const line = await openLine({
      to: it.baseUrl,
      harm: ({ method }) => {
        if (method !== "POST" || isHit.yet) return undefined;
        isHit.yet = true;
        return harm;
      },
    });
    const at = shell({ env: envFor(line), now, ...hurried() });
    const words = "send --from 0200000000 --text x --json".split(" ");
    const ran = await at([...words, ...numbers.flatMap((to) => ["--to", to])]);
    await line.stop();
    const sent = it.countsOf(numbers);
    expect({ what, code: ran.code, sent }, ran.err).toEqual({ what, code: 0, sent: [1, 1] });
    expect(ran.json()).toMatchObject({
      total: 2,
      accepted: 2,
      refused: 0,
      groups: [expect.stringMatching(/^G4V/)],
    });
  }
});

test("N09 a send that is answered with an empty 204, and was not performed, is settled and sent once", async () => {
  const { it } = service;
  if (!it) throw new Error("no service");
  clock.aheadMs = 0;
  batch.next += 10;
  const [to = ""] = numbersOf(1, batch.next);
  const posts = { count: 0 };
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ method }) => {
      if (method !== "POST") return undefined;
      posts.count += 1;
      return posts.count === 1 ? { status: 204, headers: {}, body: "" } : undefined;
    },
  });
  const at = shell({ env: envFor(line), now, ...hurried() });
  const ran = await at(`send --to ${to} --from 0200000000 --text x --json`);
  await line.stop();
  expect([ran.code, it.books().get(to)], ran.err).toEqual([0, 1]);
  expect(ran.json()).toMatchObject({ to, groupId: expect.stringMatching(/^G4V/) });
});

test.each(["send -y", "schedule +1h", "delete -y"])(
  "N09 a group by hand: %s that is answered with an empty 204, and was not performed, ends with 11",
  async (words) => {
    const [verb = "", more = ""] = words.split(" ");
    const line = await openLine({
      to: service.it?.baseUrl ?? "",
      harm: ({ method, path }) =>
        method !== "GET" && !path.endsWith("/groups") && !path.endsWith("/messages")
          ? { status: 204, headers: {}, body: "" }
          : undefined,
    });
    const at = shell({ env: envFor(line), now, ...hurried() });
    const id = (await at("group create -q")).out.trim();
    const stdin = '[{"to":"01000000001","text":"a"}]';
    expect((await at(`group add ${id} - --from 0200000000`, { stdin })).code).toBe(0);
    const { code, err } = await at(`group ${verb} ${id} ${more}`);
    const { status } = JSON.parse((await at(`group get ${id} --json`)).out);
    await line.stop();
    expect([code, status], err).toEqual([11, "PENDING"]);
  },
);

test("N09 a call that is answered with the answer to another one was not performed: it is repeated", async () => {
  const first: { body?: string; posts: number } = { posts: 0 };
  const remembers: Rewritten = {
    rewrite: (body) => {
      first.body = body;
      return body;
    },
  };
  const ran = await over(
    ({ method }) => {
      if (method !== "POST") return undefined;
      first.posts += 1;
      if (first.posts === 1) return remembers;
      const headers = { "content-type": "application/json" };
      return first.posts === 2 ? { status: 200, headers, body: first.body ?? "" } : undefined;
    },
    ...["--direct", "--chunk", "2", "--concurrency", "1"],
  );
  expect({ code: ran.code, sent: ran.sent, posts: first.posts }, ran.err).toEqual({
    ...{ code: 0, sent: once, posts: 3 },
  });
});

test("a group that is being filled and reads as scheduled: the run stops, and says why, whatever went wrong before", async () => {
  const puts = { count: 0 };
  const ran = await over(
    ({ method, path }) => {
      if (method === "PUT") {
        puts.count += 1;
        return puts.count === 1 ? "dropAfter" : undefined;
      }
      const isRead = method === "GET" && /\/groups\/G\w+$/.test(path);
      return isRead ? instead(/"status":"PENDING"/g, '"status":"SCHEDULED"') : undefined;
    },
    ...["--staged", "--chunk", "2"],
  );
  expect([ran.code, JSON.parse(ran.err).error.code]).toEqual([10, "GroupTouched"]);
  expect(ran.err).toContain("it is scheduled for");
});

test("a send that is answered with an older record of its group was not executed: the group is sent", async () => {
  const seen = { group: "", sends: 0 };
  const read = (body: string): string => {
    seen.group = body;
    return body;
  };
  const ran = await over(({ method, path }) => {
    if (method === "GET" && /\/groups\/G\w+$/.test(path)) return { rewrite: read };
    if (!path.endsWith("/send")) return undefined;
    seen.sends += 1;
    const headers = { "content-type": "application/json" };
    return seen.sends === 1 ? { status: 200, headers, body: seen.group } : undefined;
  }, "--staged");
  expect([ran.code, ran.sent], ran.err).toEqual([0, once]);
  expect(ran.shown.json()).toMatchObject({ accepted: rows, unknown: 0 });
});

test("N06 a call that is refused beside one that got no answer: what became of that one is found out all the same", async () => {
  const refused = {
    status: 402,
    headers: { "content-type": "application/json" },
    body: '{"errorCode":"NotEnoughBalance","errorMessage":"no money"}',
  };
  const harms: LineOptions["harm"][] = [() => "dropAfter", () => refused];
  const ran = await over(
    (it) => (it.method === "POST" ? harms.shift()?.(it) : undefined),
    ...["--direct", "--chunk", "2"],
  );
  expect([ran.code, [...ran.sent].sort()], ran.err).toEqual([10, [0, 0, 1, 1]]);
  expect(ran.shown.json()).toMatchObject({ accepted: 2, notSent: 2, unknown: 0 });
});

test("a group in doubt that does not tell what was charged is taken as sent on the operator's word", async () => {
  const it = service.it;
  if (!it) throw new Error("no service");
  batch.next += 10;
  const blindly = { is: true, sent: false };
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ method, path }) => {
      if (method === "POST" && path.endsWith("/send")) {
        blindly.sent = true;
        return "dropAfter";
      }
      if (!blindly.sent || method !== "GET") return undefined;
      return blindly.is ? "failBefore" : instead(/"status":"\w+"|"requested":\d+/g, '"other":1');
    },
  });
  const at = shell({ env: envFor(line), now, ...hurried() });
  const stdin = rowsOf(rows, batch.next);
  expect((await at(sending("--staged", "--settle", "1s"), { stdin })).code).toBe(11);
  blindly.is = false;
  const { groups } = JSON.parse((await at("run show last --json")).out);
  const told = await at(`run reconcile last --settle 0 --json --accepted ${groups[0]}`);
  const shown = await at("run show last --json");
  await line.stop();
  expect([told.code, shown.json()], told.err).toMatchObject([0, { accepted: rows, unknown: 0 }]);
});
