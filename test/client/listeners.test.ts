/** Hundreds of requests leave no listener behind: Node warns of eleven on one signal. */
import { getEventListeners, once } from "node:events";
import { expect, test } from "vitest";
import { getBalance } from "../../src/contract/cash.ts";
import { clientOf, rawService, service, wait } from "./service.ts";

/** Shown with the results of the tests. */
const end = "none: this ends a test of warnings";

/** What Node warns of meanwhile. */
const warnings = async (action: () => Promise<void>): Promise<readonly string[]> => {
  const seen: string[] = [];
  const note = ({ name, message }: Error) => void seen.push(`${name}: ${message}`);
  process.on("warning", note);
  try {
    await action();
    // Warnings come in the order in which they were given.
    const last = once(process, "warning");
    process.emitWarning(end);
    await last;
    return seen.filter((it) => !it.endsWith(end));
  } finally {
    process.off("warning", note);
  }
};

const balance = { headers: { "content-type": "application/json" }, body: '{"balance":1}' };

const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${balance.body.length}\r\n\r\n${balance.body}`;

test("reads over a line that opens a connection for each", async () => {
  const closing = { ...balance, headers: { ...balance.headers, connection: "close" } };
  const { client } = clientOf((await service(closing)).url);
  const seen = await warnings(async () => {
    for (let count = 0; count < 200; count += 1) await client.call(getBalance, {});
  });
  expect(seen).toEqual([]);
});

test("reads over a line that loses every other answer, and the pauses between them", async () => {
  let count = 0;
  const { url } = await rawService((socket) => {
    socket.once("data", () => {
      count += 1;
      if (count % 2 === 0) socket.end(whole);
      else socket.destroy();
    });
  });
  const { signal } = new AbortController();
  const pause = (_ms: number, stop?: AbortSignal) => wait(0, stop);
  const { client } = clientOf(url, { signal, wait: pause });
  const listeners = async (): Promise<number> => {
    await client.call(getBalance, {}, { detached: true });
    await client.call(getBalance, {});
    return getEventListeners(signal, "abort").length;
  };
  const first = await listeners();
  const seen = await warnings(async () => {
    for (let again = 0; again < 100; again += 1) expect(await listeners()).toBe(first);
  });
  expect([seen, count]).toEqual([[], 404]);
});
