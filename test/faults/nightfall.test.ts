/** Night falls while advertising is in doubt: nothing of it is repeated before the day. */
import { expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, openService } from "./books.ts";
import { openLine } from "./line.ts";

const rows = 3;
const minuteMs = 60_000;
const text = "(광고) 세일 무료수신거부 080-123-4567";
const [to = "", other = ""] = numbersOf(rows);

/** The first request that sends is lost a minute before nine in the evening in Korea; then it is after nine. */
const nightFalls = async (isSend: (path: string) => boolean) => {
  const evening = Date.parse("2026-01-15T11:59:00Z") - Date.now();
  const clock = { aheadMs: evening };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const service = await openService(freshFolder(), now);
  const line = await openLine({
    to: service.baseUrl,
    harm: ({ path }) => {
      if (!isSend(path) || clock.aheadMs !== evening) return undefined;
      clock.aheadMs += 2 * minuteMs;
      return "dropBefore";
    },
  });
  return {
    at: shell({ env: envFor(line), now, ...hurried() }),
    sends: () =>
      line.requests.filter(({ method, path }) => method === "POST" && isSend(path)).length,
    dawn: () => {
      clock.aheadMs += 12 * 60 * minuteMs;
    },
    sent: () => service.countsOf(numbersOf(rows)),
    stop: async () => {
      await line.stop();
      await service.stop();
    },
  };
};

const isGroupSend = (path: string): boolean => path.endsWith("/send");
const isCall = (path: string): boolean => path.endsWith("/send-many");

test.each([
  ["a call", isCall, ["--direct"]],
  ["the send of a group", isGroupSend, []],
] as const)(
  "night falls while %s of advertising is in doubt: it is not repeated before the day",
  async (_, isSend, flags) => {
    const { at, sends, dawn, sent, stop } = await nightFalls(isSend);
    const stdin = `to,text\n${numbersOf(rows)
      .map((it) => `${it},${text}\n`)
      .join("")}`;
    const words = ["send-many", "-", "--from", "0200000000", "--ad", "--settle", "2s"];
    const ran = await at([...words, ...flags], { stdin });
    expect([ran.code, sends()], ran.err).toEqual([11, 1]);
    dawn();
    const resumed = await at("send-many --resume last --settle 2s");
    expect([resumed.code, sent()], resumed.err).toEqual([0, [1, 1, 1]]);
    await stop();
  },
);

const send = ["send", "--to", to, "--from", "0200000000", "--text", text, "--ad"];

test.each([
  ["to one", isGroupSend, []],
  ["to several", isGroupSend, ["--to", other]],
] as const)(
  "night falls while msg send --ad %s is in doubt: it is looked for and not repeated, exit 11",
  async (_, isSend, more) => {
    const { at, sends, sent, stop } = await nightFalls(isSend);
    const ran = await at([...send, ...more, "--settle", "2s"]);
    expect([ran.code, sends(), sent()], ran.err).toEqual([11, 1, [0, 0, 0]]);
    await stop();
  },
);

test("night falls while msg send --once --ad is in doubt: it is sent by day, once", async () => {
  const { at, sends, dawn, sent, stop } = await nightFalls(isGroupSend);
  const once = [...send, "--once", "order-1", "--settle", "2s"];
  const ran = await at(once);
  expect([ran.code, sends()], ran.err).toEqual([11, 1]);
  const night = await at(once);
  expect([night.code, sends()], night.err).toEqual([11, 1]);
  expect(night.err).toContain("21:00");
  dawn();
  const day = await at(once);
  expect([day.code, sent()], day.err).toEqual([0, [1, 0, 0]]);
  await stop();
});
