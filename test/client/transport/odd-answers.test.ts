/** Answers that come unasked, never end or are none: no request takes one for its own. */
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { getBalance } from "../../../src/contract/cash.ts";
import { sendMessage } from "../../../src/contract/messages.ts";
import { clientOf, failure, rawService, wait } from "../service.ts";

const answerOf = (balance: number): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{"balance":${balance}}`;

test("what a service says unasked is not taken for the next answer", async () => {
  const sockets: Socket[] = [];
  const { url, connections } = await rawService((socket, count) => {
    sockets.push(socket);
    socket.on("data", () => socket.write(answerOf(count)));
  });
  const { client } = clientOf(url);
  expect(await client.call(getBalance, {})).toEqual({ balance: 1 });
  sockets[0]?.write(answerOf(9));
  await wait(50);
  expect(await client.call(getBalance, {})).toEqual({ balance: 2 });
  expect(connections()).toBe(2);
});

test("a connection is given up before the service ends it", async () => {
  const promise = answerOf(1).replace("\r\n\r\n", "\r\nkeep-alive: timeout=1\r\n\r\n");
  const { url, connections } = await rawService((socket) =>
    socket.on("data", () => socket.write(promise)),
  );
  const { client } = clientOf(url);
  await client.call(getBalance, {});
  await wait(50);
  await client.call(getBalance, {});
  expect(connections()).toBe(2);
});

test("a head that goes on for ever, byte by byte, is given up", async () => {
  const { url } = await rawService((socket) => {
    const drip = async (): Promise<void> => {
      socket.write("HTTP/1.1 200 OK\r\nx: ");
      while (!socket.destroyed) {
        socket.write("x");
        await wait(10);
      }
    };
    socket.once("data", () => void drip());
  });
  const { client } = clientOf(url, { network: { limits: { firstByteOfReadMs: 80 } } });
  expect(await failure(client.call(getBalance, {}))).toMatchObject({ code: "ETIMEDOUT" });
});

test("an answer that would change the protocol is none: a write is unknown, exit 11", async () => {
  const change = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
  const { url } = await rawService((socket) => socket.once("data", () => socket.write(change)));
  const body = { message: { to: "01000000001", from: "0200000000", text: "a" } };
  const error = await failure(clientOf(url).client.call(sendMessage, { body }));
  expect(error).toMatchObject({ exitCode: 11, outcome: "unknown" });
});
