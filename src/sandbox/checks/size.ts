/** How large a request may be (facts/messages 1.7). */

import { assumed } from "../assumptions/assumption.ts";
import { Refusal } from "../service.ts";

/** Bytes of one body: 15 MB. The HTTP door stops reading there. */
export const mostBytes = 15 * 1024 * 1024;

export const tooLarge = (): Refusal =>
  new Refusal(
    413,
    "ValidationError",
    `The body is larger than ${mostBytes} bytes.`,
    assumed("body-limit"),
  );

/** Throws Refusal 413. */
export const limitSize = (body: Uint8Array | undefined): void => {
  if (body !== undefined && body.length > mostBytes) throw tooLarge();
};
