/** A message on its way through the registration checks, and what a check is. */
import type { MessageInput } from "../contract/message-records.ts";
import type { Problem } from "../errors.ts";
import { detectType } from "./type.ts";

/** A message with what the service takes for what was left out. */
export interface Candidate {
  readonly message: MessageInput;
  /** Upper case; not yet known to be one of the service's. */
  readonly type: string;
  readonly country: string;
}

/** One check: the problem that it finds, or undefined. */
export type Check = (candidate: Candidate) => Problem | undefined;

/** The message with type and country as the service will read them. */
export const candidate = (message: MessageInput): Candidate => ({
  message,
  type: detectType(message),
  country: message.country || "82",
});
