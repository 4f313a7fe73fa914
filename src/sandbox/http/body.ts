/** Bodies as they come over a connection, and answers as they are written to it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer } from "../../contract/wire.ts";
import { refusalAnswer } from "../answer.ts";
import { maxBodyBytes } from "../checks/validate.ts";
import type { Clock } from "../clock.ts";
import { Refusal } from "../service.ts";

/**
 * The bytes, undefined if the request has no body, `too large` (the rest is discarded), `broken` if the
 * client went away.
 */
export const readBody = (
  incoming: IncomingMessage,
  max = maxBodyBytes,
): Promise<Uint8Array | undefined | "too large" | "broken"> =>
  new Promise((resolve) => {
    const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
    if (length === undefined && encoding === undefined) return resolve(undefined);
    if (Number(length ?? 0) > 2 * max) return resolve("too large");
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      // A client that goes on sending is not read forever.
      if (size > 2 * max) resolve("too large");
      if (size > 3 * max) incoming.destroy();
    });
    // Many clients read nothing before they have sent all: an earlier answer would be lost to them.
    incoming.on("end", () => resolve(size > max ? "too large" : Buffer.concat(chunks)));
    incoming.on("error", () => resolve("broken"));
    incoming.on("close", () => resolve("broken"));
  });

export const writeAnswer = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, "content-length": body.length }).end(body);
};

/** Writes half of the answer, then breaks the connection. */
export const writeHalf = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  const half = body.subarray(0, Math.floor(body.length / 2));
  outgoing.write(half, () => outgoing.socket?.destroy());
};

/** Refuses a request that never reaches the router. */
export const writeRefusal = (outgoing: ServerResponse, refusal: Refusal, clock: Clock): void =>
  writeAnswer(outgoing, refusalAnswer(refusal, { date: clock.read().signing }));

/** Answers that the sandbox itself failed. */
export const writeFailure = (outgoing: ServerResponse, error: unknown, clock: Clock): void => {
  const why = error instanceof Error ? error.message : String(error);
  writeRefusal(outgoing, new Refusal(500, "InternalError", why), clock);
};
