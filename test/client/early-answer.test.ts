/** An answer may come before the request is there: what is left of that one must not be read later. */
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { sendMessage } from "../../src/contract/messages.ts";
import { clientOf, rawService } from "./service.ts";

const reply = '{"groupId":"G1","messageId":"M1"}';
const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nkeep-alive: timeout=5\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`;
/** More than what two sockets hold between them. */
const bodyBytes = 32_000_000;

/** All that comes until the connection ends, or a body is whole. */
const rest = (socket: Socket): Promise<Buffer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (): void => resolve(Buffer.concat(chunks));
    socket.once("close", done).on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= bodyBytes) done();
    });
    socket.resume();
  });

test("once a call is answered nothing more is read from its body, whose memory may be used again", async () => {
  const lines: Socket[] = [];
  const { url } = await rawService((socket) => {
    lines.push(socket);
    socket.once("data", () => socket.pause().write(answer));
  });
  const bytes = Buffer.alloc(bodyBytes, "a");
  const body = { message: {} };
  await clientOf(url).client.call(sendMessage, { body }, { bytes });
  bytes.fill("b");
  const [line] = lines;
  if (!line) throw new Error("there was a connection");
  expect((await rest(line)).includes("b")).toBe(false);
});
