/** What the law of Korea asks of an advertising text (Act on Promotion of Information and Communications Network Utilization, article 50; as of 2026-01). */
import type { Problem } from "../errors.ts";

/** It begins with this word, in these brackets. */
const mark = "(광고)";
/** A number that is free to call, to refuse further messages. */
const freeNumber = /080[-\s]?\d{3,4}[-\s]?\d{4}/;

/** What an advertising text lacks. */
export const advertisingProblems = (text: string): Problem[] => [
  ...(text.startsWith(mark)
    ? []
    : [{ code: "AdMark", field: "text", text: `an advertising text begins with ${mark}` }]),
  ...(freeNumber.test(text)
    ? []
    : [
        {
          code: "AdOptOut",
          field: "text",
          text: "an advertising text names a free 080 number to refuse further ones",
        },
      ]),
];
