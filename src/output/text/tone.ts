/** What a state means for the one who reads it: the colours of a table follow it. */
import { isOfStates, stateWord } from "./state-words.ts";

/** Good news, bad news, or no news yet. */
export type Tone = "good" | "bad" | "waiting";

const words: readonly (readonly [Tone, RegExp])[] = [
  ["good", /^(complete|delivered|approved|active|done|ok|live|4000)$/i],
  [
    "waiting",
    /^(pending|sending|scheduled|inspecting|requested|planned|running|open|2000|3000|warn(ing)?)$/i,
  ],
  [
    "bad",
    /^(failed|rejected|blocked|disabled|inactive|unverified|deleted|unknown|damaged|fail|\d{4})$/i,
  ],
];

/** The tone of a cell; undefined where its column is none of states, or the word says neither. */
export const toneOf = (column: string, cell: string): Tone | undefined =>
  isOfStates(column) ? words.find(([, pattern]) => pattern.test(stateWord(cell)))?.[0] : undefined;
