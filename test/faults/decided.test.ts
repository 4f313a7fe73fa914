/** Ctrl-C while a send settles, at the moment at which it is decided: what is certain is not called unknown. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { expiryMs } from "../../src/send/run/clocks.ts";
import { freshFolder } from "../e2e/program.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, openService } from "./books.ts";
import { openLine } from "./line.ts";

const [to = ""] = numbersOf(1);
const send = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--settle", "30m"];

/** The service tells whole seconds, and time passes in pauses alone: so does this clock. */
const start = Math.floor(Date.now() / 1_000) * 1_000;

/** No send arrives; each pause passes at once, until the operator stops it in the first look that is final. */
const stoppedAtTheEnd = async () => {
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(start + clock.aheadMs);
  const ticks = (): number => clock.aheadMs;
  const operator = new AbortController();
  const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
    // What is under way then has its time: that does not pass.
    if (operator.signal.aborted && signal) await once(signal, "abort");
    clock.aheadMs += Math.ceil(ms / 1_000) * 1_000;
    await new Promise((done) => setImmediate(done));
  };
  const service = await openService(freshFolder(), now);
  const line = await openLine({
    to: service.baseUrl,
    harm: ({ method }) => (method === "POST" ? "dropBefore" : undefined),
    on: ({ method }, moment) => {
      const isFinal = method === "GET" && clock.aheadMs > expiryMs;
      if (isFinal && moment === "performed") operator.abort();
    },
  });
  const at = shell({ env: envFor(line), now, ticks, wait, signal: operator.signal });
  const ran = await at([...send, "--json"]);
  await line.stop();
  const sent = service.books().get(to) ?? 0;
  await service.stop();
  return { ran, sent };
};

test("a send of which the last look proved that it never arrived was not sent: exit 130, and it may be run again", async () => {
  const { ran, sent } = await stoppedAtTheEnd();
  expect([ran.code, sent], ran.err).toEqual([130, 0]);
  expect(JSON.parse(ran.err.trim().split("\n").at(-1) ?? "").error).toMatchObject({
    outcome: "not_sent",
    hint: "nothing was sent; run it again",
  });
});
