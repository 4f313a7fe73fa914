/** What is shown of a run before it is sent: three texts, and the rows that became LMS. */
import type { MessageInput } from "../../contract/message-records.ts";
import { detectType, isKakaoType, maxSmsBytes, sizeInBytes } from "../../message/type.ts";

/** A message as it will be sent, with the row that it came from. */
export interface Sample {
  readonly row: number;
  readonly message: MessageInput;
  readonly bytes: number;
}

export interface Samples {
  readonly first?: Sample;
  readonly longest?: Sample;
  readonly shortest?: Sample;
  /** The first rows whose text made them an LMS, and how many there are. */
  readonly grown: readonly number[];
  readonly grownCount: number;
  /** Messages that may be charged twice: another is sent if they fail. */
  readonly replaceable: number;
}

/** Rows that are named one by one. */
const maxNamed = 10;

export const createSampler = () => {
  const grown: number[] = [];
  const found: { -readonly [K in keyof Samples]: Samples[K] } = {
    grown,
    grownCount: 0,
    replaceable: 0,
  };
  return {
    found,
    add: (row: number, message: MessageInput): void => {
      const bytes = sizeInBytes(message.text ?? "");
      const sample = { row, message, bytes };
      found.first ??= sample;
      if (bytes > (found.longest?.bytes ?? -1)) found.longest = sample;
      if (bytes < (found.shortest?.bytes ?? Number.POSITIVE_INFINITY)) found.shortest = sample;
      if (mayBeReplaced(message)) found.replaceable += 1;
      // A message with a subject is an LMS however short it is.
      if (bytes <= maxSmsBytes || message.type !== undefined || detectType(message) !== "LMS")
        return;
      found.grownCount += 1;
      if (grown.length < maxNamed) grown.push(row);
    },
  };
};

const mayBeReplaced = (message: MessageInput): boolean =>
  (message.replacements?.length ?? 0) > 0 ||
  (isKakaoType(detectType(message)) && !message.kakaoOptions?.disableSms);
