/** How large a request may be. */

import { assumed } from "../assumptions/assumption.ts";
import { Refusal } from "../service.ts";

/** Bytes of one body: 15 MB. The HTTP door stops reading there. */
export const maxBodyBytes = 15 * 1024 * 1024;

export const bodyTooLarge = (): Refusal =>
  new Refusal(
    413,
    "ValidationError",
    `The body is larger than ${maxBodyBytes} bytes.`,
    assumed("body-limit"),
  );

/** Throws Refusal 413. */
export const checkBodySize = (body: Uint8Array | undefined): void => {
  if (body !== undefined && body.length > maxBodyBytes) throw bodyTooLarge();
};
