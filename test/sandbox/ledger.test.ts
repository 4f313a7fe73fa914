import fc from "fast-check";
import { test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { checkBooks } from "../support/books.ts";
import { countOf } from "../support/share.ts";
import { type Env, openEnv, sms } from "./environment.ts";
import { groups } from "./handlers/group-environment.ts";
import { replyOf } from "./replies.ts";

const recipient = fc.oneof(
  fc
    .constantFrom("3104", "3042", "2062", "2000", "3000", "1060", "4000")
    .map((it) => `0100000${it}`),
  fc.integer({ min: 0, max: 30 }).map((it) => `010200000${String(it).padStart(2, "0")}`),
);
const message = fc
  .record({
    to: recipient,
    subject: fc.constantFrom(undefined, "title"),
    country: fc.constantFrom("82", "1"),
    replacements: fc.constantFrom(
      undefined,
      [{ text: "b" }],
      [
        { to: "01000002062", text: "b" },
        { to: "01000000001", text: "c", subject: "d" },
      ],
    ),
  })
  .map(({ to, ...members }) => sms(to, members));
const inMs = fc.constantFrom(0, 0, 0, 1500, 60_000);
const sending = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 8 }),
  inMs,
  allowDuplicates: fc.boolean(),
});
/** What is done to one of the groups that there are, whatever its state. */
const groupStep = fc.record({
  group: fc.nat(9),
  does: fc.oneof(
    fc.constantFrom("create", "send", "resend", "unschedule", "delete", "remove"),
    fc.record({ add: fc.array(message, { minLength: 1, maxLength: 5 }) }),
    fc.record({ schedule: inMs, method: fc.constantFrom("POST", "PUT") }),
  ),
});
const step = fc.oneof(
  sending,
  groupStep,
  groupStep,
  fc.record({ pass: fc.constantFrom(1, 500, 1000, 5000, 90_000_000) }),
  fc.record({ set: fc.record({ balance: fc.nat(500), point: fc.nat(200), quota: fc.nat(40) }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const scheduleOf = (env: Env, ms: number) => ({
  scheduledDate: new Date(env.clock.now.getTime() + ms).toISOString(),
});

const perform = async (env: Env, it: Step): Promise<void> => {
  if ("pass" in it) env.pass(it.pass);
  else if ("set" in it) await env.call("PUT", "/_sandbox/settings", it.set);
  else if ("group" in it) await performOnGroup(env, it);
  else {
    const { messages, allowDuplicates, inMs: ms } = it;
    const body = { messages, allowDuplicates, ...scheduleOf(env, ms) };
    await env.call("POST", "/messages/v4/send-many/detail", body);
  }
};

const performOnGroup = async (
  env: Env,
  { group, does }: Extract<Step, { group: number }>,
): Promise<void> => {
  const { groupList } = replyOf(contract.listGroups, await env.call("GET", groups));
  const ids = Object.keys(groupList);
  const path = `${groups}/${ids[group % Math.max(ids.length, 1)]}`;
  if (does === "create" || ids.length === 0) await env.call("POST", groups, {});
  else if (does === "delete") await env.call("DELETE", path);
  else if (does === "unschedule") await env.call("DELETE", `${path}/schedule`);
  else if (does === "remove") {
    const listed = await env.call("GET", `${path}/messages?limit=2`);
    const { messageList } = replyOf(contract.listGroupMessages, listed);
    await env.call("DELETE", `${path}/messages`, { messageIds: Object.keys(messageList) });
  } else if (typeof does === "string") await env.call("POST", `${path}/${does}`, {});
  else if ("add" in does) await env.call("PUT", `${path}/messages`, { messages: does.add });
  else {
    const method = does.method === "PUT" ? "PUT" : "POST";
    await env.call(method, `${path}/schedule`, scheduleOf(env, does.schedule));
  }
};

test("ledger and purses, counts and rows agree after whatever happens", async () => {
  const env = await openEnv();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
      for (const it of steps) {
        await perform(env, it);
        await env.call("GET", "/cash/v1/balance");
        checkBooks(env);
      }
    }),
    { numRuns: countOf(80, 40) },
  );
}, 120_000);
