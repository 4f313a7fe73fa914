import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer as createTcp, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getBalance } from "../../src/contract/cash.ts";
import { sendMessage } from "../../src/contract/messages.ts";
import { clientOf, closedPort, failure, rawService, service } from "./service.ts";

const pem = (name: string): string =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

const folder = mkdtempSync(join(tmpdir(), "msg-tls-"));
const program = join(folder, "probe.mjs");
const trusted = join(folder, "trusted.pem");

beforeAll(async () => {
  writeFileSync(trusted, ["good", "other-name", "expired"].map(pem).join("\n"));
  await build({
    entryPoints: [new URL("tls-probe.ts", import.meta.url).pathname],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);',
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a process that trusts the fixtures gets from each address. */
const probe = async (
  urls: readonly string[],
  env: Record<string, string> = {},
): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...urls], {
    env: { ...env, NODE_EXTRA_CA_CERTS: trusted },
  });
  return JSON.parse(stdout);
};

const answer = '{"balance":7}';

/** An HTTPS service that counts the bytes it can read. */
const secure = async (certificate: string) => {
  const seen: string[] = [];
  const server = createServer({ key: pem("key"), cert: pem(certificate) });
  server.on("tlsClientError", () => undefined);
  const serve = (socket: Socket): void => {
    socket.on("data", (chunk) => {
      seen.push(chunk.toString("latin1"));
      socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`);
    });
  };
  const { port } = await rawService(serve, server, "secureConnection");
  return { port, seen };
};

test("N14 a certificate signed by itself: exit 9, nothing was sent, no header seen", async () => {
  const { port, seen } = await secure("good");
  const { client } = clientOf(`https://localhost:${port}`);
  const body = { message: { to: "01000000001", from: "0200000000", text: "a" } };
  const error = await failure(client.call(sendMessage, { body }));
  expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent" });
  expect(error.code).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(error.message).toContain("certificate");
  expect(error.todo).toContain("NODE_EXTRA_CA_CERTS");
  expect(seen).toEqual([]);
});

test("N14 expired and wrong-name certificates are refused, a trusted one is not", async () => {
  const [good, other, expired] = [
    await secure("good"),
    await secure("other-name"),
    await secure("expired"),
  ];
  const urls = [good, other, expired].map(({ port }) => `https://localhost:${port}`);
  expect(await probe([...urls, `https://127.0.0.1:${good.port}`])).toEqual([
    { balance: 7 },
    expect.objectContaining({
      exitCode: 9,
      outcome: "not_sent",
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    }),
    expect.objectContaining({ exitCode: 9, outcome: "not_sent", code: "CERT_HAS_EXPIRED" }),
    { balance: 7 },
  ]);
  expect(good.seen).toHaveLength(2);
  expect([...other.seen, ...expired.seen]).toEqual([]);
});

/** A proxy that leads every host to one port, or answers with a status instead. */
const proxy = async (to: { readonly port: number } | { readonly status: number }) => {
  const heads: string[] = [];
  const { port } = await rawService((socket) => {
    socket.once("data", (chunk) => {
      heads.push(chunk.toString("latin1"));
      if ("status" in to) {
        socket.end(`HTTP/1.1 ${to.status} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const line = connect(to.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        socket.pipe(line).pipe(socket);
      });
      line.on("error", () => socket.destroy());
    });
  }, createTcp());
  return { heads, url: `http://127.0.0.1:${port}` };
};

test("N17 a request goes through the proxy's tunnel, whose password is not sent on", async () => {
  const { port, seen } = await secure("good");
  const { heads, url } = await proxy({ port });
  const withUser = url.replace("http://", "http://ann:p%40ss@");
  expect(await probe(["https://service.test"], { HTTPS_PROXY: withUser })).toEqual([
    { balance: 7 },
  ]);
  expect(heads[0]).toMatch(/^CONNECT service\.test:443 HTTP\/1\.1\r\n/);
  expect(heads[0]).toContain(`proxy-authorization: Basic ${btoa("ann:p@ss")}`);
  expect(heads[0]).not.toContain("HMAC");
  expect(seen.join("")).toMatch(/^GET \/cash\/v1\/balance HTTP\/1\.1\r\nhost: service\.test\r\n/);
  expect(seen.join("")).not.toContain("proxy-authorization");
});

const through = (HTTPS_PROXY: string) =>
  clientOf("https://service.test", { network: { env: { HTTPS_PROXY } } }).client.call(
    getBalance,
    {},
  );

test.each([407, 502, 403])(
  "N17 a proxy that answers %i: exit 9, named as the proxy",
  async (status) => {
    const { url } = await proxy({ status });
    const error = await failure(through(url));
    expect(error).toMatchObject({
      exitCode: 9,
      outcome: "not_sent",
      code: `ProxyAnswered${status}`,
    });
    expect(error.message).toContain("proxy 127.0.0.1:");
    expect(error.message).toContain(String(status));
    expect(error.todo).toContain("HTTPS_PROXY");
  },
);

test("N17 a proxy that is down: exit 9, named as the proxy", async () => {
  const error = await failure(through(`http://ann:p455word@127.0.0.1:${await closedPort()}`));
  expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent", code: "ProxyFailed" });
  expect(error.message).toContain("proxy 127.0.0.1:");
  expect(JSON.stringify([error.message, error.where, error.todo])).not.toContain("p455word");
});

test("N17 a proxy that hangs up: exit 9", async () => {
  const { port } = await rawService((socket) => socket.end());
  const error = await failure(through(`http://127.0.0.1:${port}`));
  expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent", code: "ProxyFailed" });
});

test("N17 a proxy that never answers is not waited for: exit 9", async () => {
  const { url } = await rawService(() => undefined);
  const network = { env: { HTTPS_PROXY: url }, limits: { connectMs: 50 } };
  const { client } = clientOf("https://service.test", { network });
  const error = await failure(client.call(getBalance, {}));
  expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent", code: "ProxyFailed" });
});

test("N17 Ctrl-C while a proxy thinks: exit 130, nothing was sent, the line is closed", async () => {
  const stop = new AbortController();
  const ended: Promise<unknown>[] = [];
  const { url } = await rawService((socket) => {
    ended.push(once(socket, "close"));
    socket.once("data", () => stop.abort());
  });
  const network = { env: { HTTPS_PROXY: url } };
  const { client } = clientOf("https://service.test", { network, signal: stop.signal });
  const error = await failure(client.call(getBalance, {}));
  expect(error).toMatchObject({ exitCode: 130, outcome: "not_sent" });
  expect(await Promise.all(ended)).toHaveLength(1);
});

test("N17 a service that hangs up behind the proxy: exit 9, a few attempts", async () => {
  const behind = await rawService((socket) => socket.destroy());
  const { url } = await proxy({ port: behind.port });
  const error = await failure(through(url));
  expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent" });
  expect(behind.connections()).toBeLessThanOrEqual(5);
});

test("N17 a plain service on this machine is reached through a tunnel of a proxy on this machine", async () => {
  const { url, seen } = await service({ body: answer });
  const { url: by, heads } = await proxy({ port: Number(new URL(url).port) });
  const { client } = clientOf(url, { network: { env: { HTTP_PROXY: by } } });
  expect(await client.call(getBalance, {})).toEqual({ balance: 7 });
  expect(heads[0]).toMatch(/^CONNECT 127\.0\.0\.1:\d+ HTTP/);
  expect(seen[0]?.path).toBe("/cash/v1/balance");
});

test("N17 a host of NO_PROXY is asked without the proxy", async () => {
  const { url } = await service({ body: answer });
  const HTTP_PROXY = `http://127.0.0.1:${await closedPort()}`;
  const { client } = clientOf(url, { network: { env: { HTTP_PROXY, NO_PROXY: "127.0.0.1" } } });
  expect(await client.call(getBalance, {})).toEqual({ balance: 7 });
});

test("a service on this machine is never asked through a proxy on another", async () => {
  const { url } = await service({ body: answer });
  const env = { HTTP_PROXY: "http://proxy.invalid:3128" };
  const { client } = clientOf(url, { network: { env } });
  expect(await client.call(getBalance, {})).toEqual({ balance: 7 });
});
