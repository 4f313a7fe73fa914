/** Plans and tokens: what is sent is what was planned, once, in time, and within the ceilings of the whole session. */
import { expect, test } from "vitest";
import { ceilingsOf, createSending } from "../../src/mcp/sending.ts";
import { openLine } from "../faults/line.ts";
import { serve } from "../sandbox/serve.ts";
import { testClock } from "../support/clock.ts";
import { type Shell, shell } from "../support/msg.ts";
import { envOf } from "../support/signer.ts";

const inItsProcess = () => ({ msg: shell(testClock()), profile: ["--sandbox"] });

const started = (
  maxCost: number,
  maxRecipients: number,
  { msg, profile }: { msg: Shell; profile: readonly string[] } = inItsProcess(),
) => {
  const time = { ticks: 0 };
  const meanwhile = { happens: async (): Promise<unknown> => undefined };
  const send = createSending(
    { maxCost, maxRecipients },
    {
      runLine: async (argv, stdin) => {
        if (!argv.includes("--estimate")) await meanwhile.happens();
        return msg([...profile, ...argv], stdin === undefined ? {} : { stdin });
      },
      random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
      ticks: () => time.ticks,
    },
  );
  const call = async (input: Readonly<Record<string, unknown>>) => {
    const { text, isError } = await send(input);
    return { isError, said: Object(JSON.parse(text)) };
  };
  const sent = async () => (await msg("message list --sandbox --fields to")).out.trim().split("\n");
  return { msg, time, meanwhile, call, sent };
};

const messagesTo = (...numbers: readonly string[]) => ({
  messages: numbers.map((to) => ({ to })),
  ...{ text: "hello", from: "0200000000" },
});

test("a plan sends nothing; its token sends it, once", async () => {
  const { call, sent } = started(100, 10);
  const plan = await call(messagesTo("01000000001", "01000000002"));
  expect(plan).toMatchObject({ isError: false, said: { plan: { total: 2, cost: 40 } } });
  expect(await sent()).toEqual([""]);
  const { token } = plan.said;
  expect(await call({ token })).toMatchObject({ isError: false, said: { accepted: 2, cost: 40 } });
  expect(await sent()).toHaveLength(2);
  const again = await call({ token });
  expect(again.isError).toBe(true);
  expect(again.said.error.message).toContain("this token is not valid");
  expect(await sent()).toHaveLength(2);
});

test("a token holds for five minutes, and alone", async () => {
  const { call, sent, time } = started(100, 10);
  const { said } = await call(messagesTo("01000000001"));
  time.ticks += 5 * 60_000 + 1;
  expect((await call({ token: said.token })).isError).toBe(true);
  const fresh = await call(messagesTo("01000000001"));
  await expect(call({ ...messagesTo("01000000002"), token: fresh.said.token })).rejects.toThrow();
  expect((await call({ token: "0".repeat(32) })).isError).toBe(true);
  expect(await sent()).toEqual([""]);
});

test("the ceilings are those of all calls, whatever is planned side by side", async () => {
  const { call, sent } = started(60, 10);
  const one = await call(messagesTo("01000000001", "01000000002"));
  const two = await call(messagesTo("01000000003", "01000000004"));
  expect((await call({ token: one.said.token })).isError).toBe(false);
  const over = await call({ token: two.said.token });
  expect(over.said.error.message).toBe("this costs 40 won; of --max-cost 20 won are left");
  expect((await call(messagesTo("01000000005", "01000000006"))).isError).toBe(true);
  expect(await sent()).toHaveLength(2);
  const few = started(1000, 1);
  const many = await few.call(messagesTo("01000000001", "01000000002"));
  expect(many.said.error.message).toBe("this is 2 messages; of --max-recipients 1 are left");
  const single = await few.call(messagesTo("01000000001"));
  expect((await few.call({ token: single.said.token })).isError).toBe(false);
  const none = await few.call(messagesTo("01000000002"));
  expect(none.said.error.message).toBe("this is 1 message; of --max-recipients 0 are left");
});

test("what is refused before it is sent is not counted; the same rows are not sent twice", async () => {
  const { call, sent } = started(40, 10);
  const plans = [await call(messagesTo("01000000001")), await call(messagesTo("01000000001"))];
  for (const [times, { said }] of plans.entries()) {
    const done = await call({ token: said.token });
    expect(done.isError, String(times)).toBe(times === 1);
  }
  expect((await call(messagesTo("01000000001"))).isError).toBe(true);
  expect(await sent()).toHaveLength(1);
  const { said } = await call(messagesTo("01000000002"));
  expect((await call({ token: said.token })).isError).toBe(false);
});

test("rows hold what a person can read of them, and nothing else", async () => {
  const { call } = started(100, 10);
  for (const extra of [{ kakaoOptions: {} }, { imageId: "x" }, { "--yes": "true" }])
    await expect(call({ messages: [{ to: "01000000001", ...extra }] })).rejects.toThrow();
  const wrong = await call({ messages: [{ to: "01000000001" }], from: "0200000000" });
  expect(wrong).toMatchObject({ isError: true, said: { error: { exitCode: 2 } } });
});

test("of the three flags one or two are refused", () => {
  expect(ceilingsOf({})).toBeUndefined();
  const all = { allowSend: true, maxCost: 1, maxRecipients: 1 } as const;
  expect(ceilingsOf(all)).toEqual({ maxCost: 1, maxRecipients: 1 });
  for (const name of ["allowSend", "maxCost", "maxRecipients"] as const)
    expect(() => ceilingsOf({ ...all, [name]: undefined })).toThrow("--allow-send, --max-cost and");
});

test.each([
  ["max-cost", "above the ceiling of 1 won"],
  ["max-recipients", "too many recipients: 2; allowed: 1"],
])("a %s that the profile gets after the plan holds for its token", async (setting, why) => {
  const { msg, call, sent } = started(100, 10);
  const { said } = await call(messagesTo("01000000001", "01000000002"));
  expect((await msg(`profile set ${setting} 1 --sandbox`)).code).toBe(0);
  const stopped = await call({ token: said.token });
  expect(stopped.said.error).toMatchObject({ exitCode: 7, message: expect.stringContaining(why) });
  expect(await sent()).toEqual([""]);
});

test("what may have been sent counts; what was stopped before it was sent does not", async () => {
  const { msg, meanwhile, call } = started(40, 2);
  const sentTo = async (to: string) => {
    const { said } = await call(messagesTo(to));
    return (await call({ token: said.token })).said;
  };
  const send = "POST /messages/v4/groups/*/send";
  await msg(["sandbox", "fault", "add", "--on", send, "--do", "drop-before"]);
  expect((await sentTo("01000000001")).error.exitCode).toBe(11);
  await msg("sandbox fault clear");
  meanwhile.happens = () => msg("profile set protected true --sandbox");
  expect((await sentTo("01000000002")).error.exitCode).toBe(7);
  meanwhile.happens = async () => undefined;
  await msg("profile unset protected --sandbox");
  expect(await sentTo("01000000003")).toMatchObject({ accepted: 1 });
  const over = await call(messagesTo("01000000004"));
  expect(over.said.error.message).toBe("this costs 20 won; of --max-cost 0 won are left");
});

test("what has no known price gets no token", async () => {
  const { msg, call } = started(40, 2);
  await msg("sandbox fault add --on 'GET /pricing/*' --do status:503");
  const { isError, said } = await call(messagesTo("01000000001"));
  expect([isError, said]).toMatchObject([
    true,
    { error: { message: "what it costs is not known, so nothing can be sent" } },
  ]);
});

test("a price that rises after the last look at it sends nothing: what was planned is the ceiling", async () => {
  const { url } = await serve({ now: () => new Date() });
  const price = { isHigher: false };
  const rewrite = (body: string): string => body.replaceAll(/"sms":[\d.]+/g, '"sms":21');
  const line = await openLine({
    to: url,
    harm: ({ path }) => (price.isHigher && path.startsWith("/pricing/") ? { rewrite } : undefined),
  });
  const msg = shell({ env: envOf(line.baseUrl) });
  const { call, meanwhile } = started(100, 10, { msg, profile: [] });
  const { said } = await call(messagesTo("01000000001", "01000000002"));
  meanwhile.happens = async () => {
    price.isHigher = true;
  };
  const { isError, said: stopped } = await call({ token: said.token });
  expect([isError, stopped.error.message]).toEqual([
    true,
    "this would cost 42 won, above the ceiling of 40 won",
  ]);
  expect((await msg("message list --json")).json()).toEqual([]);
  await line.stop();
});
