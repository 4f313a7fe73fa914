/** Sends with an access token: it carries no signature, so what is in doubt is looked for and never repeated. */
import { describe, expect, test } from "vitest";
import { readToken, signToken } from "../../src/sandbox/tokens.ts";
import { shell } from "../support/msg.ts";
import { numbersOf, rowsOf, sending } from "./books.ts";
import { type Harm, openLine } from "./line.ts";
import { oneService } from "./one-service.ts";
import { tokenEnv } from "./tokens.ts";

const { opened, nextBatch } = oneService();

/** Of another account than the tokens of the other tests. */
const otherMember = "MEMSANDBOX0004";

/** One send over a line that does harm to what sends. */
const sendOver = async (harm: Harm, wordsOf: (to: string) => readonly string[], stdin = true) => {
  const it = opened();
  const first = nextBatch();
  const isSend = (path: string): boolean => /\/send(-many)?$/.test(path);
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ method, path }) => (method === "POST" && isSend(path) ? harm : undefined),
  });
  const env = await tokenEnv(it.baseUrl, "message:read message:write");
  const at = shell({ env: { ...env, MSG_BASE_URL: line.baseUrl } });
  const [to = ""] = numbersOf(1, first);
  const words = [...wordsOf(to), "--settle", "300ms", "--json"];
  const ran = await at(words, stdin ? { stdin: rowsOf(1, first) } : {});
  await line.stop();
  const posts = line.requests.filter(({ method, path }) => method === "POST" && isSend(path));
  return { ...ran, sent: it.books().get(to) ?? 0, posts: posts.length };
};

const send = (to: string) => ["send", "--to", to, "--from", "0200000000", "--text", "x"];
const ways: readonly (readonly [string, (to: string) => readonly string[], string])[] = [
  ["send", send, "nothing proves that it was not sent"],
  [
    "send-many --direct",
    () => sending("--direct"),
    "look for it: msg run reconcile \\S+; a token carries no signature",
  ],
];

describe.each(ways)("%s", (_, words, todo) => {
  test("N06 the answer is lost: it is found, exit 0, one request", async () => {
    const { code, err, sent, posts } = await sendOver("dropAfter", words);
    expect({ code, sent, posts }, err).toEqual({ code: 0, sent: 1, posts: 1 });
  });

  test("N05 the request is lost: exit 11, never repeated, and nobody is told of a time that decides it", async () => {
    const { code, err, sent, posts } = await sendOver("dropBefore", words);
    expect({ code, sent, posts }, err).toEqual({ code: 11, sent: 0, posts: 1 });
    const { error } = JSON.parse(err.split("\n").at(-2) ?? "");
    expect(error.hint).toMatch(new RegExp(todo));
    expect(error.hint).not.toMatch(/after \d{4}-/);
  });
});

test.each(["dropAfter", "dropBefore"] as const)(
  "send-many N05 N06 %s every time: a group needs no signature; unknown, exit 11, or found, and never twice",
  async (harm) => {
    const { code, err, sent } = await sendOver(harm, () => sending());
    const performed = harm === "dropAfter";
    expect({ code, sent }, err).toEqual({ code: performed ? 0 : 11, sent: performed ? 1 : 0 });
  },
);

test("send --once that another account sent: exit 2; of the same one, whatever it may read: shown", async () => {
  const { baseUrl, countsOf } = opened();
  const [to = ""] = numbersOf(1, nextBatch());
  const words = [...send(to), "--once", "order-12"];
  const scopes = "message:read message:write";
  const own = await tokenEnv(baseUrl, `${scopes} cash:read`);
  const at = shell();
  const ran = [];
  for (const env of [
    own,
    own,
    await tokenEnv(baseUrl, scopes),
    await tokenEnv(baseUrl, `${scopes} cash:read`, otherMember),
  ]) {
    const line = await openLine({ to: baseUrl });
    const { code } = await at([...words, "--json"], {
      env: { ...env, MSG_BASE_URL: line.baseUrl },
    });
    await line.stop();
    ran.push([code, line.requests.filter(({ path }) => path === "/cash/v1/balance").length]);
  }
  // The token says which account it is of.
  expect(ran.slice(1)).toEqual([
    [0, 0],
    [0, 0],
    [2, 0],
  ]);
  expect([ran[0]?.[0], countsOf([to])]).toEqual([0, [1]]);
});

test.each(["dropAfter", "dropBefore"] as const)(
  "send --once in doubt after %s, run again with the token of another account: exit 2, and no request",
  async (harm) => {
    const { baseUrl, countsOf } = opened();
    const [to = ""] = numbersOf(1, nextBatch());
    const words = [...send(to), "--once", `order-${harm}`, "--settle", "300ms", "--json"];
    const at = shell();
    const codes = [];
    const passed: string[] = [];
    for (const memberId of [undefined, otherMember, undefined]) {
      // The first one loses its send and all that follows, the others lose nothing.
      const lost = { isOn: false };
      const line = await openLine({
        to: baseUrl,
        harm: ({ path }) => {
          if (codes.length > 0 || !(lost.isOn || path.endsWith("/send"))) return undefined;
          const isFirst = !lost.isOn;
          lost.isOn = true;
          return isFirst ? harm : "dropBefore";
        },
      });
      const env = await tokenEnv(baseUrl, "message:read message:write", memberId);
      codes.push((await at(words, { env: { ...env, MSG_BASE_URL: line.baseUrl } })).code);
      await line.stop();
      if (memberId !== undefined) passed.push(...line.requests.map(({ method }) => method));
    }
    expect([codes, countsOf([to])]).toEqual([[11, 2, 0], [1]]);
    expect(passed).toEqual([]);
  },
);

test("a token that does not name its account takes up what it began", async () => {
  const { baseUrl, countsOf } = opened();
  const first = nextBatch();
  const { MSG_ACCESS_TOKEN: token, ...rest } = await tokenEnv(
    baseUrl,
    "message:write message:read",
  );
  const { accountId: _named, ...claims } = Object(readToken(token));
  const env = { ...rest, MSG_BASE_URL: baseUrl, MSG_ACCESS_TOKEN: signToken(claims) };
  const at = shell({ env });
  const stopped = await at(sending("--max-recipients", "1"), { stdin: rowsOf(2, first) });
  expect(stopped.code, stopped.err).toBe(7);
  const resumed = await at("send-many --resume last --max-recipients 2");
  expect([resumed.code, countsOf(numbersOf(2, first))], resumed.err).toEqual([0, [1, 1]]);
  const [to = ""] = numbersOf(1, nextBatch());
  for (const _ of ["sent", "shown"]) {
    const once = await at([...send(to), "--once", "order-13"]);
    expect([once.code, countsOf([to])], once.err).toEqual([0, [1]]);
  }
  const named = await at("send-many --resume last", {
    env: { MSG_ACCESS_TOKEN: token },
  });
  expect(named.code, named.err).toBe(0);
});
