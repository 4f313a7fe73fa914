/** What is shown of a run before it is sent: three texts, and the rows that became LMS. */
import type { MessageInput } from "../../contract/message-records.ts";
import { fallbacksOf } from "../../message/price.ts";
import { detectType, maxSmsBytes, mayBeReplaced, sizeInBytes } from "../../message/type.ts";

/** A message as it will be sent, with the row that it came from. */
export interface Sample {
  readonly row: number;
  readonly message: MessageInput;
  readonly bytes: number;
}

/** At most this many rows are named one by one. */
const maxNamed = 10;

export class Samples {
  first?: Sample;
  longest?: Sample;
  shortest?: Sample;
  /** The first rows whose text made them an LMS, how many there are, and how many messages they make. */
  readonly grown: number[] = [];
  grownRows = 0;
  grownCount = 0;
  /** Messages that may be replaced by another whose price is not known. */
  replaceable = 0;
  #lastGrown: number | undefined;

  readonly add = (row: number, message: MessageInput): void => {
    const bytes = sizeInBytes(message.text ?? "");
    const sample = { row, message, bytes };
    this.first ??= sample;
    if (bytes > (this.longest?.bytes ?? -1)) this.longest = sample;
    if (bytes < (this.shortest?.bytes ?? Number.POSITIVE_INFINITY)) this.shortest = sample;
    if (mayBeReplaced(message) && fallbacksOf(message).length === 0) this.replaceable += 1;
    // A message with a subject is an LMS however short it is.
    if (bytes <= maxSmsBytes || message.type !== undefined || detectType(message) !== "LMS") return;
    this.grownCount += 1;
    // A row may have several recipients.
    if (this.#lastGrown === row) return;
    this.#lastGrown = row;
    this.grownRows += 1;
    if (this.grown.length < maxNamed) this.grown.push(row);
  };
}
