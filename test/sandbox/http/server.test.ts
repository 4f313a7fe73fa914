import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Listening, Sandbox } from "../../../src/sandbox/index.ts";
import { authorization } from "../../support/signer.ts";
import { exchange, start } from "../doors.ts";
import { openServer } from "../serve.ts";

let sandbox: Sandbox;
let server: Listening;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ sandbox, server, close } = await openServer());
  // From source, the part that is loaded late comes after a client that ends at once has gone.
  await exchange(server.baseUrl, "GET", "/_sandbox/status", {});
});
afterAll(() => close());

/** Writes bytes to the server and answers what comes back until the connection closes. */
const raw = (text: string, port = new URL(server.baseUrl).port): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
    socket.end(text);
  });

const statusOf = async (text: string): Promise<number> =>
  Number(/^HTTP\/1\.1 (\d+)/.exec(await raw(text))?.[1]);

const ownHost = () => new URL(server.baseUrl).host;

describe("over a raw socket", () => {
  test.each(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"])(
    "B02: a foreign Host is refused before anything else, on %s",
    async (method) => {
      const lines = (host: string) =>
        `${method} /messages/v4/send HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect(await statusOf(lines("evil.example"))).toBe(421);
      expect(await statusOf(lines("evil.example:80"))).toBe(421);
      expect(await statusOf(lines(`127.0.0.1.evil:${new URL(server.baseUrl).port}`))).toBe(421);
    },
  );

  test("B02: no Host, an empty one, two, or an absolute target are 400", async () => {
    const end = "Connection: close\r\n\r\n";
    expect(await statusOf(`GET / HTTP/1.1\r\n${end}`)).toBe(400);
    expect(await statusOf(`GET / HTTP/1.1\r\nHost:\r\n${end}`)).toBe(400);
    const host = `Host: ${ownHost()}\r\n`;
    expect(await statusOf(`GET / HTTP/1.1\r\n${host}${host}${end}`)).toBe(400);
    expect(await statusOf(`GET http://${ownHost()}/ HTTP/1.1\r\n${host}${end}`)).toBe(400);
  });

  test("B03: a foreign Origin reaches no control route, and no answer allows other origins", async () => {
    const ask = (origin: string) =>
      raw(
        `POST /_sandbox/reset HTTP/1.1\r\nHost: ${ownHost()}\r\nOrigin: ${origin}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
      );
    expect(await ask("https://evil.example")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask("null")).toMatch(/^HTTP\/1\.1 403 /);
    const own = await raw(
      `GET /_sandbox/status HTTP/1.1\r\nHost: ${ownHost()}\r\nOrigin: ${server.baseUrl}\r\nConnection: close\r\n\r\n`,
    );
    expect(own).toMatch(/^HTTP\/1\.1 200 /);
    expect(own.toLowerCase()).not.toContain("access-control-");
  });

  test("B04: a header beyond 16 KB is refused, and others are still served", async () => {
    const text = `GET / HTTP/1.1\r\nHost: ${ownHost()}\r\nX: ${"x".repeat(20_000)}\r\n\r\n`;
    expect(await statusOf(text)).toBe(431);
    expect((await exchange(server.baseUrl, "GET", "/_sandbox/status", {})).status).toBe(200);
  });

  test("B05: dots in a path lead nowhere", async () => {
    for (const target of [
      "/../../etc/passwd",
      "/_sandbox/../cash/v1/balance",
      "/..%2f..%2fx",
      "/%00",
    ]) {
      const status = await statusOf(
        `GET ${target} HTTP/1.1\r\nHost: ${ownHost()}\r\nConnection: close\r\n\r\n`,
      );
      expect(status).toBe(404);
    }
  });
});

describe("bodies", () => {
  const send = (size: number, headers: Record<string, string> = {}) =>
    exchange(
      server.baseUrl,
      "POST",
      "/messages/v4/send-many",
      { authorization: authorization({ date: start }), ...headers },
      Buffer.alloc(size, " "),
    );

  test("B04: more than 15 MB is 413 with both members, declared or in chunks", async () => {
    const declared = await send(16 * 1024 * 1024);
    expect(declared.status).toBe(413);
    expect(JSON.parse(declared.text)).toEqual({
      errorCode: "ValidationError",
      errorMessage: expect.stringContaining("larger"),
    });
    const head = `POST /messages/v4/send HTTP/1.1\r\nHost: ${ownHost()}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`;
    expect(await raw(`${head}${chunk.repeat(16)}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("413 reaches a client that reads nothing before it has sent all", async () => {
    const size = 16 * 1024 * 1024;
    const head = `POST /messages/v4/send HTTP/1.1\r\nHost: ${ownHost()}\r\nConnection: close\r\nContent-Length: ${size}\r\n\r\n`;
    const socket = connect(Number(new URL(server.baseUrl).port), "127.0.0.1").pause();
    await new Promise<unknown>((sent, failed) => {
      socket.on("error", failed).write(head + " ".repeat(size), sent);
    });
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("15 MB are read", async () => {
    expect((await send(15 * 1024 * 1024)).status).toBe(400);
  });

  test("the limit is the same in process", async () => {
    const answer = await sandbox.send(
      {
        method: "POST",
        target: "/messages/v4/send-many",
        headers: {},
        body: Buffer.alloc(16 * 1024 * 1024),
      },
      new AbortController().signal,
    );
    expect(answer.status).toBe(413);
  });
});

describe("start and stop", () => {
  test.each(["0.0.0.0", "::", "192.168.0.1", "example.com"])(
    "B01: '%s' is refused",
    async (host) => {
      await expect(sandbox.listen({ port: 0, host })).rejects.toMatchObject({
        kind: "usage",
        exitCode: 2,
      });
    },
  );

  test("B01: the default is 127.0.0.1; localhost is taken", async () => {
    expect(new URL(server.baseUrl).hostname).toBe("127.0.0.1");
    const other = await sandbox.listen({ port: 0, host: "localhost" });
    expect((await exchange(other.baseUrl, "GET", "/_sandbox/status", {})).status).toBe(200);
    await other.close();
  });

  test("B08: a port in use is a usage error that names --port 0", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    await expect(sandbox.listen({ port })).rejects.toMatchObject({
      exitCode: 2,
      code: "PortInUse",
      message: expect.stringContaining(String(port)),
      todo: expect.stringContaining("--port 0"),
    });
    await new Promise((resolve) => taken.close(resolve));
  });

  test("a stop answers what is in flight and closes kept-alive connections", async () => {
    const other = await sandbox.listen({ port: 0 });
    const { host, port } = new URL(other.baseUrl);
    const head = `POST /_sandbox/reset HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`;
    const socket = connect(Number(port), "127.0.0.1");
    const answered = new Promise<string>((resolve) => {
      const chunks: Buffer[] = [];
      socket.on("data", (chunk) => chunks.push(chunk));
      socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
    });
    await new Promise<void>((resolve) =>
      socket.write(`GET /_sandbox/status HTTP/1.1\r\nHost: ${host}\r\n\r\n${head}`, () =>
        resolve(),
      ),
    );
    await new Promise<void>((resolve) => socket.once("data", () => resolve()));
    const closed = other.close();
    socket.write("{}");
    expect((await answered).match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    await closed;
    await expect(exchange(other.baseUrl, "GET", "/_sandbox/status", {})).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });
});
