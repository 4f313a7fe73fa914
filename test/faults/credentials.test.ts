/** What is taken up with other credentials: nothing is sent for an account that was not meant. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { keyEnv } from "../support/signer.ts";
import { envFor, openService, rowsOf, type Service, sending } from "./books.ts";
import { type LineOptions, openLine } from "./line.ts";

const service: { it?: Service } = {};
beforeAll(async () => {
  service.it = await openService(freshFolder());
});
afterAll(() => service.it?.stop());

/** The key of account B. */
const other = keyEnv(4);

const setup = async (harm: NonNullable<LineOptions["harm"]>) => {
  const { it } = service;
  if (!it) throw new Error("no service");
  const line = await openLine({ to: it.baseUrl, harm });
  const at = shell({ env: envFor(line), ...hurried() });
  const writes = (): number => line.requests.filter(({ method }) => method !== "GET").length;
  return { at, line, writes };
};

test("a run whose account is not known is not taken up with another key", async () => {
  const headers = { "content-type": "application/json" };
  const refused = { status: 403, headers, body: '{"errorCode":"Forbidden","errorMessage":"no"}' };
  const { at, line, writes } = await setup(({ path }) =>
    path === "/cash/v1/balance" ? refused : undefined,
  );
  const stopped = await at(sending("--max-recipients", "1"), { stdin: rowsOf(2) });
  expect(stopped.code, stopped.err).toBe(7);
  const resume = "send-many --resume last --max-recipients 2";
  const foreign = await at(resume, { env: other });
  expect([foreign.code, foreign.err]).toEqual([2, expect.stringContaining("the key …0001")]);
  expect(writes()).toBe(0);
  expect((await at(resume)).code).toBe(0);
  await line.stop();
});

test("a run is not taken up with a key of another account", async () => {
  const { at, line, writes } = await setup(() => undefined);
  const stopped = await at(sending("--max-recipients", "1"), { stdin: rowsOf(2, 2) });
  expect(stopped.code, stopped.err).toBe(7);
  const foreign = await at("send-many --resume last --max-recipients 2", { env: other });
  await line.stop();
  expect([foreign.code, foreign.err]).toEqual([2, expect.stringContaining("this is account")]);
  expect(writes()).toBe(0);
});

test("a key that loses its rights before the send: the service refuses the read, too, and nothing is unknown", async () => {
  const revoked = { isIt: false };
  const { at, line } = await setup(({ path }) => {
    revoked.isIt ||= path.endsWith("/send");
    const headers = { "content-type": "application/json" };
    const body = '{"errorCode":"Forbidden","errorMessage":"no rights"}';
    return revoked.isIt ? { status: 403, headers, body } : undefined;
  });
  const { code, err, json } = await at(sending("--staged", "--json"), { stdin: rowsOf(2, 70) });
  await line.stop();
  expect([code, json()], err).toMatchObject([5, { accepted: 0, notSent: 2, unknown: 0 }]);
});

test("N06 a send of --once in doubt is not settled in another account: what that does not know may have been sent", async () => {
  const blind = { is: true };
  const lost = { is: false };
  const { at, line, writes } = await setup(({ method, path }) => {
    if (!blind.is) return undefined;
    const isSend = method === "POST" && path.endsWith("/send");
    lost.is ||= isSend;
    if (isSend) return "dropAfter";
    return lost.is && path.startsWith("/messages/v4/groups/") ? "failBefore" : undefined;
  });
  const once = "send --to 01000000001 --from 0200000000 --text x --once order-1 --settle 0";
  expect((await at(once)).code).toBe(11);
  blind.is = false;
  const before = writes();
  const foreign = await at(once, { env: other });
  expect([foreign.code, foreign.err]).toEqual([2, expect.stringContaining("key …0001")]);
  expect(writes()).toBe(before);
  expect((await at(`${once} --settle 5s`.replace("--settle 0 ", ""))).code).toBe(0);
  await line.stop();
});

test("a key of --once that was first tried with a key that the service refuses is sent with the right one", async () => {
  const { at, line } = await setup(() => undefined);
  for (const [key, tag] of [["order-2"], ["order-3", "--no-tag"]]) {
    const once = `send --to 01000000001 --from 0200000000 --text x --once ${key} ${tag ?? ""}`;
    const wrong = await at(once, { env: { ...other, MSG_API_KEY: "SANDBOXKEY00WRNG" } });
    expect(wrong.code, wrong.err).toBe(4);
    const right = await at(once);
    expect(right.code, right.err).toBe(0);
  }
  await line.stop();
});

test("another msg sends the message of a key right before this one begins it: it is sent once", async () => {
  const words = "send --to 01000000077 --from 0200000000 --text x --once order-77 --no-tag --json";
  const done = { code: -1 };
  const { it } = service;
  if (!it) throw new Error("no service");
  const direct = envFor(it);
  const line = await openLine({
    to: it.baseUrl,
    on: async (_, moment) => {
      if (done.code !== -1 || moment !== "arrived") return;
      done.code = 0;
      done.code = (await at(words, { env: direct })).code;
    },
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const ran = await at(`${words} --max-cost 100`);
  await line.stop();
  expect([ran.code, done.code, it.countsOf(["01000000077"])], ran.err).toEqual([0, 0, [1]]);
});
