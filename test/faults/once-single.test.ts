/** `msg send --once` on machines that know nothing of each other, and one that loses what it knew: one message. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, program } from "../e2e/program.ts";
import { shell } from "../support/msg.ts";
import { isEvery } from "../support/share.ts";
import { envFor, numbersOf } from "./books.ts";
import { openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const keyed = (...more: readonly string[]) => {
  const first = nextBatch();
  const [to = ""] = numbersOf(1, first);
  const words = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--json"];
  const sent = (): readonly number[] => opened().countsOf([to]);
  return { to, sent, words: [...words, "--once", `order-${first}`, ...more] };
};

/** Whoever was at work before has stopped by then. */
const inTwoMinutes = (): Date => new Date(Date.now() + 120_000);
const onlyRunIn = (runs: string): string =>
  readdirSync(runs).find((it) => /^\w{32}$/.test(it)) ?? "";
const errorOf = (err: string): unknown => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;

test("two machines: one message, the same record, and the second says so", async () => {
  const { words, sent } = keyed();
  const env = envFor(opened());
  const first = await shell()([...words, "--envelope"], { env });
  expect(first.code, first.err).toBe(0);
  const second = shell();
  for (const _ of [1, 2]) {
    const again = await second([...words, "--envelope"], { env });
    expect([again.code, sent()], again.err).toEqual([0, [1]]);
    const told = JSON.parse(again.out);
    expect(told).toMatchObject({ alreadySent: true, cost: 0 });
    const { statusCode: _, statusMessage: __, ...record } = JSON.parse(first.out).record;
    expect(told.record).toMatchObject({ ...record, messageId: expect.stringMatching(/^M4V/) });
    expect(again.err).toMatch(/already sent at \d\d:\d\d KST; not sent again/);
  }
});

test("a key is the same with the blank that ends a line, and with its Hangul in parts", async () => {
  const { words, sent } = keyed();
  const env = envFor(opened());
  const at = shell();
  for (const end of ["주문", "주문\r", "주문".normalize("NFD")]) {
    const { code, err } = await at([...words.slice(0, -1), `${words.at(-1)}-${end}`], { env });
    expect([code, sent()], err).toEqual([0, [1]]);
  }
});

test("what would stop it now keeps nobody from hearing that another machine sent it", async () => {
  const { words, sent } = keyed();
  const env = envFor(opened());
  expect((await shell()(words, { env })).code).toBe(0);
  const dear = await shell()([...words, "--max-cost", "1"], { env });
  expect([dear.code, sent()], dear.err).toEqual([0, [1]]);
});

test("its record cannot be read: that it was sent is said all the same", async () => {
  const { words, sent } = keyed();
  const env = envFor(opened());
  expect((await shell()(words, { env })).code).toBe(0);
  const odd = { status: 200, headers: { "content-type": "application/json" }, body: "{}" };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => (path === "/messages/v4/list" ? odd : undefined),
  });
  const second = shell();
  const unread = await second(words, { env: envFor(line) });
  await line.stop();
  expect([unread.code, sent()], unread.err).toEqual([0, [1]]);
  expect(Object.keys(JSON.parse(unread.out))).toEqual(["groupId"]);
  expect(unread.err).toContain("already sent at");
  const read = await second(words, { env });
  expect(JSON.parse(read.out)).toHaveProperty("messageId");
});

test("it was refused, and its record does not come: it is not called sent", async () => {
  const { words, sent } = keyed();
  const rewrite = (body: string) => JSON.stringify({ ...JSON.parse(body), messageList: {} });
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) => (path === "/messages/v4/list" ? { rewrite } : undefined),
  });
  const foreign = words.map((it) => (it === "0200000000" ? "0299999999" : it));
  const ran = await shell()(foreign, { env: envFor(line) });
  await line.stop();
  expect([ran.code, ran.out, sent()], ran.err).toEqual([10, "", [0]]);
});

test("the record that was kept is damaged: the service's is shown", async () => {
  const { words, sent } = keyed();
  const env = envFor(opened());
  const at = shell();
  const first = await at(words, { env });
  expect(first.code, first.err).toBe(0);
  const runs = join(at.folder, "state", "runs");
  writeFileSync(join(runs, onlyRunIn(runs), "reply.json"), '{"messageId"');
  const again = await at(words, { env });
  expect([again.code, sent()], again.err).toEqual([0, [1]]);
  expect(JSON.parse(again.out).messageId).toBe(JSON.parse(first.out).messageId);
});

test("another message under the key: exit 2 on every machine, and it keeps nothing of it", async () => {
  const { words, sent } = keyed();
  const env = envFor(opened());
  expect((await shell()(words, { env })).code).toBe(0);
  const second = shell();
  const other = words.map((it) => (it === "x" ? "y" : it));
  for (const _ of [1, 2]) {
    const told = await second(other, { env });
    expect([told.code, sent()], told.err).toEqual([2, [1]]);
    expect(errorOf(told.err)).toMatchObject({ code: "OtherContent" });
  }
  const { code, err } = await second(words, { env });
  expect([code, sent()], err).toEqual([0, [1]]);
});

test("two processes of one machine, and one of another, at once: one message, all three end with 0", async () => {
  const { words, sent } = keyed();
  const env = envFor(opened());
  const msg = program();
  const told = await Promise.all([msg, msg, program()].map((it) => it(words, { env })));
  const errors = told.map(({ err }) => err).join("\n");
  expect([told.map(({ code }) => code), sent()], errors).toEqual([[0, 0, 0], [1]]);
}, 120_000);

const moments = ["arrived", "performed", "answered"] as const;
/** What it writes down behind an answer is lost with its folder: `npm test` kills there at the last one alone. */
const momentsOf = (verb: string) => (isEvery || verb === "send" ? moments : moments.slice(0, 2));
const isOf = (verb: string, { method, path }: Passing): boolean =>
  verb === "send" ? path.endsWith("/send") : method === verb;

test.each(["POST", "PUT", "send"])(
  "killed at each moment of its %s, its state folder lost: another machine sends it once",
  async (verb) => {
    for (const at of momentsOf(verb)) {
      const { words, sent } = keyed();
      const killing = { kill: (): void => undefined };
      const line = await openLine({
        to: opened().baseUrl,
        on: (passing, moment) =>
          isOf(verb, passing) && moment === at ? killing.kill() : undefined,
      });
      const child = program().start(words, { env: envFor(line) });
      killing.kill = () => child.kill("SIGKILL");
      await ended(child);
      await line.stop();
      const later = await openLine({ to: opened().baseUrl, date: inTwoMinutes });
      const told = await shell()(words, { env: envFor(later) });
      await later.stop();
      expect([at, told.code, sent()], told.err).toEqual([at, 0, [1]]);
    }
  },
  60_000,
);

test("another machine sent it in place of one that was killed before the send: its reconcile says so, and its repeat too", async () => {
  const { words, sent } = keyed();
  const isRead = ({ method, path }: Passing) => method === "GET" && /groups\/\w+$/.test(path);
  const killing = { kill: (): void => undefined };
  const line = await openLine({
    to: opened().baseUrl,
    on: (passing, moment) =>
      isRead(passing) && moment === "answered" ? killing.kill() : undefined,
  });
  const msg = program();
  const child = msg.start(words, { env: envFor(line) });
  killing.kill = () => child.kill("SIGKILL");
  await ended(child);
  await line.stop();
  const later = await openLine({ to: opened().baseUrl, date: inTwoMinutes });
  const env = envFor(later);
  const other = await shell()(words, { env });
  const run = onlyRunIn(join(msg.folder, "state", "msg", "runs"));
  const reconciled = await msg(["run", "reconcile", run, "--json"], { env });
  const again = await msg(words, { env });
  await later.stop();
  expect([other.code, reconciled.code, again.code, sent()], again.err).toEqual([0, 0, 0, [1]]);
  expect(again.err).toContain("already sent");
}, 60_000);
