import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { controls } from "../../../src/contract/sandbox.ts";
import { exchange, start } from "../doors.ts";
import { errorOf, jsonOf, replyOf } from "../replies.ts";
import { serve } from "../serve.ts";

const dial = (url: string): Socket => connect(Number(new URL(url).port), "127.0.0.1");

/** What comes back until the server ends the connection, which these clients never do. */
const until = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });

const say = (url: string, text: string): Promise<string> => {
  const socket = dial(url);
  const answer = until(socket);
  socket.write(text);
  return answer;
};

/** Each from its status on. */
const answersIn = (text: string): string[] => text.split(/HTTP\/1\.1 (?=\d{3} )/).slice(1);

/** The status of the last answer on a connection, its headers and its body. */
const lastOf = (text: string) => {
  const [head = "", body = ""] = (answersIn(text).at(-1) ?? "").split("\r\n\r\n");
  return { head, ...jsonOf({ status: Number(head.slice(0, 3)), text: body }) };
};

const logOf = async (url: string) => {
  const told = await exchange(url, "GET", "/_sandbox/requests", {});
  return replyOf(controls.listRequests, jsonOf(told)).requests;
};

const post = (host: string) =>
  `POST /messages/v4/send HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each([
  {
    what: "a head of 20 KB",
    text: (host: string) =>
      `GET /cash/v1/balance?x=1 HTTP/1.1\r\nHost: ${host}\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    status: 431,
    said: { method: "GET", path: "/cash/v1/balance?x=1" },
  },
  {
    what: "a first line that is no request",
    text: () => "hello\r\n\r\n",
    status: 400,
    said: { method: "", path: "" },
  },
  {
    what: "an unknown version",
    text: () => "GET /cash/v1/balance HTTP/9.9\r\n\r\n",
    status: 400,
    said: { method: "GET", path: "/cash/v1/balance" },
  },
  {
    what: "the bytes of TLS",
    text: () => "\u0016\u0003\u0001\u0002\u0000",
    status: 400,
    said: { method: "", path: "" },
  },
  {
    what: "a chunk without a size",
    text: (host: string) => `${post(host)}5\r\nhello\r\nzz\r\n`,
    status: 400,
    said: { method: "POST", path: "/messages/v4/send" },
  },
  {
    what: "both a length and chunks",
    text: (host: string) =>
      `POST /messages/v4/send HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    status: 400,
    said: { method: "POST", path: "/messages/v4/send" },
  },
])("$what is $status with both members, logged, and ends the connection", async (it) => {
  const { url, host } = await serve();
  const { head, ...told } = lastOf(await say(url, it.text(host)));
  const { status, body } = told;
  expect(status).toBe(it.status);
  expect(body).toEqual({ errorCode: "ValidationError", errorMessage: expect.any(String) });
  expect(head).toContain("content-type: application/json; charset=utf-8");
  expect(head).toContain(`date: ${new Date(start).toUTCString()}`);
  expect(head.toLowerCase()).toContain("connection: close");
  const entry = { ...it.said, status, verdict: "ValidationError", why: errorOf(told).errorMessage };
  expect(await logOf(url)).toEqual([expect.objectContaining({ ...entry, time: start })]);
  expect((await exchange(url, "GET", "/_sandbox/status", {})).status).toBe(200);
});

test("what comes too slowly is 408 with both members: the head, and the body", async () => {
  const limits = { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 };
  const { url, host } = await serve({ limits });
  const body = { errorCode: "RequestTimeout", errorMessage: expect.any(String) };
  const head = await say(url, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
  expect(lastOf(head)).toMatchObject({ status: 408, body });
  expect(lastOf(await say(url, `${post(host)}5\r\nhel`))).toMatchObject({ status: 408, body });
  expect(await logOf(url)).toMatchObject([
    { method: "POST", path: "/messages/v4/send", status: 408, verdict: "RequestTimeout" },
    { method: "", path: "", status: 408 },
  ]);
});

test("a connection on which nothing was said is ended with 408 and leaves no line in the log", async () => {
  const limits = { headersTimeout: 50, connectionsCheckingInterval: 20 };
  const { url } = await serve({ limits });
  expect(lastOf(await until(dial(url))).status).toBe(408);
  expect(await logOf(url)).toEqual([]);
});

test("a refusal waits for the answers of earlier requests on its connection", async () => {
  const { url, host } = await serve();
  const whole = `GET /cash/v1/balance HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const text = await say(url, `${whole}${whole}hello\r\n\r\n`);
  expect(answersIn(text).map((it) => it.slice(0, 3))).toEqual(["401", "401", "400"]);
  expect((await logOf(url)).map(({ path }) => path)).toEqual([
    "",
    "/cash/v1/balance",
    "/cash/v1/balance",
  ]);
});

test("a client that stops in the middle of its request is told so", async () => {
  const { url, host } = await serve();
  const socket = dial(url);
  const answer = until(socket);
  socket.end(`${post(host)}5\r\nhel`);
  expect(lastOf(await answer)).toMatchObject({
    status: 400,
    body: { errorMessage: "The request ended before it was whole." },
  });
});

test("a head that goes on and on is answered although the client is still writing", async () => {
  const { url, host } = await serve();
  const socket = dial(url);
  const answer = until(socket);
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${"x".repeat(2_000_000)}`);
  expect(lastOf(await answer).status).toBe(431);
  expect(await logOf(url)).toHaveLength(1);
});

test("no Host and an unknown expectation have both members too", async () => {
  const { url, host } = await serve();
  const missing = lastOf(await say(url, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"));
  expect(missing).toMatchObject({ status: 400, body: { errorCode: "ValidationError" } });
  const lines = `Host: ${host}\r\nExpect: more\r\nConnection: close\r\n`;
  const expecting = lastOf(await say(url, `GET /cash/v1/balance HTTP/1.1\r\n${lines}\r\n`));
  expect(expecting).toMatchObject({ status: 417, body: { errorCode: "ValidationError" } });
  expect(await logOf(url)).toMatchObject([{ path: "/cash/v1/balance", status: 417 }]);
});

test("what was refused for the sandbox itself is not logged", async () => {
  const { url, host } = await serve();
  const text = `POST /_sandbox/reset HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`;
  expect(lastOf(await say(url, text)).status).toBe(400);
  expect(await logOf(url)).toEqual([]);
});
