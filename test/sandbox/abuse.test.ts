import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { exchange } from "./doors.ts";
import { serve } from "./serve.ts";

const dial = (url: string): Socket => {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  return socket.on("error", () => undefined);
};

const readAll = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });

test("B04: slow loris: 300 heads that never end are cut off, and others are served meanwhile", async () => {
  const limits = { headersTimeout: 300, requestTimeout: 400, connectionsCheckingInterval: 50 };
  const { url, host } = await serve({ limits });
  const slow = Array.from({ length: 300 }, () => dial(url));
  const ends = slow.map(readAll);
  for (const socket of slow) socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
  for (let time = 0; time < 20; time += 1)
    expect((await exchange(url, "GET", "/_sandbox/status", {})).status).toBe(200);
  expect((await Promise.all(ends)).every((it) => it === "" || it.includes(" 408 "))).toBe(true);
});

test("B04: a body that says it has 1 GB is refused unread; one without end is cut off", async () => {
  const { url, host } = await serve();
  const head = `POST /messages/v4/send HTTP/1.1\r\nHost: ${host}\r\n`;
  const declared = dial(url);
  const answer = readAll(declared);
  declared.end(`${head}Content-Length: 1073741824\r\n\r\n{`);
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);

  const endless = dial(url);
  const ended = readAll(endless);
  const mebibyte = Buffer.from(`100000\r\n${" ".repeat(0x100000)}\r\n`);
  const push = (): void => {
    while (!endless.destroyed && endless.write(mebibyte));
  };
  endless.on("drain", push).write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  push();
  await ended;
  expect(endless.bytesWritten).toBeLessThan(100 * 0x100000);
  expect((await exchange(url, "GET", "/_sandbox/status", {})).status).toBe(200);
});

test("B04: more than a hundred header lines are 431", async () => {
  const { url } = await serve();
  const headers = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`x-${n}`, "1"]));
  expect((await exchange(url, "GET", "/_sandbox/status", headers)).status).toBe(431);
});

/** Follows the events of a server, from behind one of them on. */
const watch = (
  url: string,
  last?: string,
): Promise<{ readonly until: (text: string) => Promise<string> }> =>
  new Promise((resolve) => {
    const headers = last === undefined ? {} : { "last-event-id": last };
    request(`${url}/_sandbox/events`, { headers, agent: false }, (incoming) => {
      const parts = incoming.iterator({ destroyOnReturn: false });
      const read = { text: "" };
      const until = async (text: string) => {
        while (!read.text.includes(text)) read.text += String((await parts.next()).value);
        return read.text;
      };
      resolve({ until });
    }).end();
  });

test("events: who watches is told of each request and its verdict, and may go on where it stopped", async () => {
  const { url } = await serve();
  const watcher = await watch(url);
  await watcher.until("watching");
  await exchange(url, "GET", "/cash/v1/balance", {});
  expect(await watcher.until('"verdict":"Unauthorized"')).toMatch(
    /\n\nid: 1\nevent: request\ndata: /,
  );
  const later = await watch(url, "0");
  expect(await later.until("id: 1\n")).toContain("watching");
  const foreign = await exchange(url, "GET", "/_sandbox/events", {
    origin: "https://evil.example",
  });
  expect(foreign.status).toBe(403);
});

test("events: a reset numbers requests from 1 again, and who watches is told of them all the same", async () => {
  const { url } = await serve();
  await exchange(url, "GET", "/cash/v1/balance", {});
  await exchange(url, "GET", "/cash/v1/balance", {});
  const watcher = await watch(url);
  await watcher.until("watching");
  await exchange(url, "POST", "/_sandbox/reset", {});
  await exchange(url, "GET", "/cash/v1/balance", {});
  expect(await watcher.until('"verdict":"Unauthorized"')).toContain("\n\nid: 1\n");
});
