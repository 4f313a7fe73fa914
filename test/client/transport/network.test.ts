import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { createNetwork } from "../../../src/client/transport/network.ts";
import { getBalance } from "../../../src/contract/cash.ts";
import { sendMessage } from "../../../src/contract/messages.ts";
import { MsgError } from "../../../src/errors.ts";
import {
  clientOf,
  closedPort,
  failure,
  listen,
  rawService,
  service,
  type Told,
  wait,
} from "../service.ts";

const message = { body: { message: { to: "01000000001", from: "0200000000", text: "a" } } };
const send = ({ client }: Told) => client.call(sendMessage, message);
const read = ({ client }: Told) => client.call(getBalance, {});

const body = '{"groupId":"G1","messageId":"M1","balance":1}';
const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** Calls back with the n-th request of a connection once its last byte is here. */
const onRequest = (socket: Socket, answer: (count: number) => void): void => {
  let text = "";
  let count = 0;
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    const head = text.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0);
    if (head < 0 || text.length < head + 4 + length) return;
    text = "";
    count += 1;
    answer(count);
  });
};

const answering = (answer: string) => (socket: Socket) =>
  onRequest(socket, () => socket.end(answer));

describe("addresses", () => {
  test.each([
    ["N15 http://service.test", "not encrypted"],
    ["http://user:pa55word@127.0.0.1", "user name"],
    ["https://user@service.test", "user name"],
    ["ftp://user:pa55word@127.0.0.1", "user name"],
    ["ftp://127.0.0.1", "is not the address of a host"],
    ["127.0.0.1:80", "is not the address of a host"],
    ["https://service.test/?x=1", "has a query"],
  ])("%s is refused before anything is opened: exit 2", (text, why) => {
    const url = text.replace(/^N\d+ /, "");
    const open = () => createNetwork({ url, env: {}, timeoutMs: undefined, wait });
    expect(open).toThrow(MsgError);
    expect(open).toThrow(why);
    expect(open).not.toThrow("pa55word");
  });

  test("a path in the address goes before every path", async () => {
    const { url, seen } = await service({ body });
    await read(clientOf(`${url}/api/`));
    expect(seen[0]?.path).toBe("/api/cash/v1/balance");
  });
});

describe("no connection", () => {
  test("N03 a name that does not exist: exit 9, nothing was sent", async () => {
    const error = await failure(send(clientOf("https://service.invalid")));
    expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent" });
    expect(error.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
    expect(error.message).toContain("service.invalid");
  });

  test("N18 an address family that is dead is passed over", async () => {
    const port = await listen(createServer((socket) => onRequest(socket, () => socket.end(whole))));
    expect(await read(clientOf(`http://localhost:${port}`))).toMatchObject({ balance: 1 });
  });

  test("Ctrl-C before a connection is there: exit 130, nothing was sent", async () => {
    const stop = new AbortController();
    const ended: Promise<unknown>[] = [];
    const { port } = await rawService((socket) => {
      ended.push(once(socket, "close"));
      stop.abort();
    });
    const error = await failure(
      send(clientOf(`https://localhost:${port}`, { signal: stop.signal })),
    );
    expect(error).toMatchObject({ exitCode: 130, outcome: "not_sent" });
    // The line does not stay open until its handshake is late.
    expect(await Promise.all(ended)).toHaveLength(1);
  });

  test("a handshake that never ends is not waited for", async () => {
    const { port, connections } = await rawService(() => undefined);
    // Long enough for a busy machine to accept each of the three.
    const limits = { connectMs: 400 };
    const error = await failure(
      send(clientOf(`https://localhost:${port}`, { network: { limits } })),
    );
    expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent", code: "ETIMEDOUT" });
    expect(connections()).toBe(3);
  });
});

describe("a broken line", () => {
  test("N04 reset on accept: a read is repeated on a fresh connection", async () => {
    const { url, connections } = await rawService((socket, count) => {
      if (count === 1) socket.resetAndDestroy();
      else answering(whole)(socket);
    });
    expect(await read(clientOf(url))).toMatchObject({ balance: 1 });
    expect(connections()).toBe(2);
  });

  test("N04 reset on accept, always: a write ends, and says what is certain", async () => {
    const { url, connections } = await rawService((socket) => socket.resetAndDestroy());
    const error = await failure(send(clientOf(url)));
    // Seen before the first byte was written it proves that nothing was sent, else it is doubt.
    expect([
      [9, "not_sent"],
      [11, "unknown"],
    ]).toContainEqual([error.exitCode, error.outcome]);
    expect(connections()).toBeLessThanOrEqual(3);
  });

  const request = 400;
  test.each([1, 20, 150, request])("N05 cut after %i bytes of a write: exit 11", async (bytes) => {
    const { url, connections } = await rawService((socket) => {
      let seen = 0;
      socket.on("data", (chunk) => {
        seen += chunk.length;
        if (seen >= Math.min(bytes, request)) socket.resetAndDestroy();
      });
    });
    const error = await failure(send(clientOf(url)));
    expect(error).toMatchObject({ exitCode: 11, outcome: "unknown", retryable: false });
    expect(error.todo).toMatch(/^do not run it again .*msg message list --since \d{4}-/);
    expect(connections()).toBe(1);
  });

  test("N06 executed, then no answer: exit 11 and one request", async () => {
    const { url, connections } = await rawService((socket) =>
      onRequest(socket, () => socket.destroy()),
    );
    expect(await failure(send(clientOf(url)))).toMatchObject({ exitCode: 11 });
    expect(connections()).toBe(1);
  });

  const cuts = Array.from({ length: 40 }, (_, at) => Math.floor(((at + 0.5) / 40) * whole.length));
  test.each(cuts)(
    "N09 an answer cut after %i bytes is never success nor refusal",
    async (length) => {
      const { url, connections } = await rawService(answering(whole.slice(0, length)));
      expect(await failure(send(clientOf(url)))).toMatchObject({
        exitCode: 11,
        outcome: "unknown",
      });
      expect(connections()).toBe(1);
    },
  );

  test("N10 a 200 of no length that is cut short counts as unknown, not as done", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
    const half = await rawService(answering(`${head}${body.slice(0, 20)}`));
    const without = await rawService(answering(`${head}{"groupId":"G1"}`));
    const full = await rawService(answering(head + body));
    expect(await failure(send(clientOf(half.url)))).toMatchObject({ exitCode: 11 });
    expect(await failure(send(clientOf(without.url)))).toMatchObject({ exitCode: 11 });
    expect(await send(clientOf(full.url))).toMatchObject({ groupId: "G1" });
  });

  test("a read without an answer changes nothing: exit 9 after five tries", async () => {
    const { url, connections } = await rawService((socket) =>
      onRequest(socket, () => socket.destroy()),
    );
    const error = await failure(read(clientOf(url)));
    expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent", retryable: true });
    expect(connections()).toBe(5);
  });

  test("what is not HTTP is doubt for a write", async () => {
    const { url } = await rawService(answering("SSH-2.0-OpenSSH_9.6\r\n\r\n"));
    expect(await failure(send(clientOf(url)))).toMatchObject({ exitCode: 11, outcome: "unknown" });
  });

  test("Ctrl-C while a write is under way: exit 130, unknown, how to look", async () => {
    const stop = new AbortController();
    const { url } = await rawService((socket) => onRequest(socket, () => stop.abort()));
    const error = await failure(send(clientOf(url, { signal: stop.signal })));
    expect(error).toMatchObject({ exitCode: 130, outcome: "unknown" });
    expect(error.todo).toContain("msg message list --since");
  });
});

describe("which connection", () => {
  test("N11 a connection that the service closes after its answer harms no write", async () => {
    const { url, connections } = await rawService((socket) =>
      onRequest(socket, () => socket.write(whole, () => socket.resetAndDestroy())),
    );
    const told = clientOf(url);
    for (let count = 1; count <= 3; count += 1) {
      expect(await send(told)).toMatchObject({ groupId: "G1" });
      expect(connections()).toBe(count);
    }
  });

  test("N11 a stale connection costs a read one more attempt", async () => {
    const { url, connections } = await rawService((socket) =>
      onRequest(socket, (count) => (count === 1 ? socket.write(whole) : socket.resetAndDestroy())),
    );
    const told = clientOf(url);
    await read(told);
    expect(await read(told)).toMatchObject({ balance: 1 });
    expect([connections(), told.waits.length]).toEqual([2, 1]);
  });

  test("a service that closes each connection costs a read no second attempt", async () => {
    const { url, connections } = await rawService((socket) =>
      onRequest(socket, () =>
        socket.end(whole.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n")),
      ),
    );
    const told = clientOf(url);
    for (let count = 0; count < 5; count += 1) await read(told);
    expect([connections(), told.waits.length]).toEqual([5, 0]);
  });

  test("reads share a connection, writes one after the other do not", async () => {
    const { url, seen } = await service({ body });
    const told = clientOf(url);
    for (const call of [read, read, read, send, send]) await call(told);
    const ports = seen.map((it) => it.port);
    expect(new Set(ports.slice(0, 3)).size).toBe(1);
    expect(new Set(ports.slice(2)).size).toBe(3);
  });

  test("a burst of writes takes few connections from a service that promises to keep them", async () => {
    const { url, seen } = await service({ body });
    const told = clientOf(url);
    const lane = async () => {
      for (let count = 0; count < 10; count += 1) await send(told);
    };
    await Promise.all(Array.from({ length: 16 }, lane));
    expect(seen).toHaveLength(160);
    expect(new Set(seen.map((it) => it.port)).size).toBeLessThan(60);
  });

  test("a burst takes a fresh connection each time from one that does not promise it", async () => {
    const { url, connections } = await rawService((socket) =>
      onRequest(socket, () => socket.write(whole)),
    );
    const told = clientOf(url);
    await Promise.all(Array.from({ length: 16 }, () => send(told)));
    await Promise.all(Array.from({ length: 16 }, () => send(told)));
    expect(connections()).toBe(32);
  });

  test("closing the client closes its connections", async () => {
    const ended: Promise<unknown>[] = [];
    const { url } = await rawService((socket) => {
      ended.push(once(socket, "close"));
      onRequest(socket, () => socket.write(whole));
    });
    const told = clientOf(url);
    await read(told);
    await told.client.close();
    expect(await Promise.all(ended)).toHaveLength(1);
  });
});

describe("limits", () => {
  const drip = (socket: Socket, everyMs: number): void => {
    const pieces = [...whole].values();
    const next = async (): Promise<void> => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        await wait(everyMs);
      }
    };
    onRequest(socket, () => void next());
  };

  test("N12 a first byte that never comes: a read ends with 9, a write with 11", async () => {
    const { url } = await rawService(() => undefined);
    const limits = { firstByteOfReadMs: 20, firstByteOfWriteMs: 40 };
    const told = clientOf(url, { network: { limits } });
    expect(await failure(read(told))).toMatchObject({ exitCode: 9, code: "ETIMEDOUT" });
    expect(await failure(send(told))).toMatchObject({ exitCode: 11, code: "ETIMEDOUT" });
  });

  test("N12 a late first byte within the limit is waited for", async () => {
    const { url } = await rawService((socket) =>
      onRequest(socket, () => void wait(60).then(() => socket.end(whole))),
    );
    const limits = { firstByteOfWriteMs: 5_000 };
    expect(await send(clientOf(url, { network: { limits } }))).toMatchObject({ groupId: "G1" });
  });

  test("N13 a body that comes bit by bit does not go on for ever", async () => {
    const { url } = await rawService((socket) => drip(socket, 10));
    const error = await failure(send(clientOf(url, { network: { limits: { bodyMs: 100 } } })));
    expect(error).toMatchObject({ exitCode: 11, outcome: "unknown" });
    expect(error.message).toContain("too slowly");
  });

  test("a body that stops in the middle is given up", async () => {
    const { url } = await rawService((socket) =>
      onRequest(socket, () => socket.write(whole.slice(0, -5))),
    );
    const error = await failure(send(clientOf(url, { network: { limits: { idleMs: 50 } } })));
    expect(error).toMatchObject({ exitCode: 11, code: "ETIMEDOUT" });
  });

  test("--timeout ends a request whatever it is doing", async () => {
    const { url } = await rawService((socket) => drip(socket, 10));
    const error = await failure(send(clientOf(url, { network: { timeoutMs: 400 } })));
    expect(error).toMatchObject({ exitCode: 11, outcome: "unknown" });
    expect(error.message).toContain("--timeout");
  });

  test("S14 an answer that is larger than the limit: exit 10, asked for once", async () => {
    const { url, seen } = await service({ body: `"${"x".repeat(2_000_000)}"` });
    const told = clientOf(url, { network: { limits: { bodyBytes: 1_000_000 } } });
    expect(await failure(read(told))).toMatchObject({ exitCode: 10, code: "AnswerTooLarge" });
    expect(await failure(send(told))).toMatchObject({ exitCode: 11, outcome: "unknown" });
    expect(seen).toHaveLength(2);
  });

  test("S16 nothing packed is asked for, and what comes packed is not unpacked", async () => {
    const { url, seen } = await service({
      headers: { "content-encoding": "gzip" },
      body: Buffer.from("1f8b0800", "hex"),
    });
    const error = await failure(read(clientOf(url)));
    expect(error).toMatchObject({ exitCode: 10, code: "UnreadableAnswer" });
    expect(error.message).toContain("packed as gzip");
    expect(seen[0]?.headers["accept-encoding"]).toBeUndefined();
  });
});

describe("N16 redirects", () => {
  test.each([301, 302, 307, 308])(
    "%i is not followed, no header leaks, and proves nothing of a write: exit 11",
    async (status) => {
      const other = await service({ body });
      const location = `${other.url}/elsewhere`;
      const { url, seen } = await service({ status, headers: { location } });
      const error = await failure(send(clientOf(url)));
      expect(error).toMatchObject({ exitCode: 11, outcome: "unknown", http: { status } });
      expect(error.message).toContain(new URL(other.url).host);
      expect([seen.length, other.seen.length]).toEqual([1, 0]);
    },
  );
});

test("N02 refused, then up: the write goes through once", async () => {
  const port = await closedPort();
  const requests: number[] = [];
  const server = createServer((socket) =>
    onRequest(socket, (count) => {
      requests.push(count);
      socket.end(whole);
    }),
  );
  const told = clientOf(`http://127.0.0.1:${port}`, {
    wait: async () => {
      if (server.listening) return;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  });
  try {
    expect(await send(told)).toMatchObject({ groupId: "G1" });
    expect(requests).toEqual([1]);
  } finally {
    server.close();
  }
});
