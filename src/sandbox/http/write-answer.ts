/** Answers as they are written to a connection. */
import type { ServerResponse } from "node:http";
import type { Answer } from "../../contract/wire.ts";
import { refusalAnswer } from "../answer.ts";
import { Refusal } from "../service.ts";

/** Signing time, for answers that never reach the router. */
interface Dated {
  readonly now: () => Date;
}

export const writeAnswer = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  if (outgoing.headersSent) return;
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.end(body);
};

/** Half of it, and then the connection breaks. */
export const writeHalf = (outgoing: ServerResponse, { status, headers, body }: Answer): void => {
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  const half = body.subarray(0, Math.floor(body.length / 2));
  outgoing.write(half, () => outgoing.socket?.destroy());
};

export const writeRefusal = (outgoing: ServerResponse, refusal: Refusal, { now }: Dated): void =>
  writeAnswer(outgoing, refusalAnswer(refusal, { date: now(), assumptions: new Set() }));

/** What failed was the sandbox itself. */
export const writeFailure = (outgoing: ServerResponse, error: unknown, dated: Dated): void => {
  const why = error instanceof Error ? error.message : String(error);
  writeRefusal(outgoing, new Refusal(500, "InternalError", why), dated);
};
