/** A line that gives 1xx answers: an answer is waited for, and 1xx without an answer are not. */
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { getBalance } from "../../src/contract/cash.ts";
import { sendMessage } from "../../src/contract/messages.ts";
import { clientOf, failure, rawService } from "../client/service.ts";
import { shell } from "../support/msg.ts";
import { envOf } from "../support/signer.ts";

const hint = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
const message = { body: { message: { to: "01000000001", from: "0200000000", text: "a" } } };

/** Hints for ever, at once one behind the other or every few milliseconds. */
const hinting = (everyMs: number) => (socket: Socket) => {
  const go = async (): Promise<void> => {
    while (!socket.destroyed) {
      socket.write(hint);
      await delay(everyMs);
    }
  };
  socket.once("data", () => void go());
};

test.each([0, 5])("endless 103 answers, one every %i ms: a read ends, exit 9", async (everyMs) => {
  const { url, connections } = await rawService(hinting(everyMs));
  const { client } = clientOf(url, { network: { limits: { firstByteOfReadMs: 50 } } });
  const error = await failure(client.call(getBalance, {}));
  expect(error).toMatchObject({ exitCode: 9, outcome: "not_sent", code: "ETIMEDOUT" });
  expect(connections()).toBe(3);
});

test("endless 103 answers: a write ends and is unknown, exit 11", async () => {
  const { url, connections } = await rawService(hinting(5));
  const { client } = clientOf(url, { network: { limits: { firstByteOfWriteMs: 50 } } });
  const error = await failure(client.call(sendMessage, message));
  expect(error).toMatchObject({ exitCode: 11, outcome: "unknown", code: "ETIMEDOUT" });
  expect(connections()).toBe(1);
});

test("endless 103 answers end at --timeout", async () => {
  const { url } = await rawService(hinting(5));
  const { code, err } = await shell({ env: envOf(url) })("balance --timeout 50ms");
  expect([code, err]).toMatchObject([9, expect.stringMatching(/--timeout is over/)]);
});

test("an answer behind hints counts, and its body may outlast the limit of its first byte", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n";
  const { url } = await rawService((socket) => {
    socket.once("data", async () => {
      socket.write(`${hint}${hint}${head}{"bal`);
      await delay(900);
      socket.write('ance":7}');
    });
  });
  const { client } = clientOf(url, { network: { limits: { firstByteOfReadMs: 400 } } });
  expect(await client.call(getBalance, {})).toEqual({ balance: 7 });
});
