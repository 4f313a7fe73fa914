/** Reads the body of a request over HTTP, up to a limit. */
import type { IncomingMessage } from "node:http";
import { maxBodyBytes } from "../checks/size.ts";

/**
 * The bytes, undefined where the request has no body, `too large` as soon as that is known (the rest
 * is passed over unread), `broken` when the client went away.
 */
export const readBody = (
  incoming: IncomingMessage,
  max = maxBodyBytes,
): Promise<Uint8Array | undefined | "too large" | "broken"> =>
  new Promise((resolve) => {
    const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
    if (length === undefined && encoding === undefined) {
      resolve(undefined);
      return;
    }
    if (Number(length ?? 0) > max) {
      resolve("too large");
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      else resolve("too large");
      // Who goes on sending after the answer is not listened to for ever.
      if (size > 2 * max) incoming.destroy();
    });
    incoming.on("end", () => resolve(Buffer.concat(chunks)));
    incoming.on("error", () => resolve("broken"));
    incoming.on("close", () => resolve("broken"));
  });
