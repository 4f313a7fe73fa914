/** State names: translated for people, in the service's spelling for programs, and the tone of their colour. */
import { translated } from "../../locale/locale.ts";

const stateColumn =
  /^(status|state|statusCode|biz|provider[AB]|verdict|stage|memberStatus|allowed|autoRecharge)$/i;

const isOfStates = (column: string): boolean => stateColumn.test(column);

/** The state of a run by its journal, or that a process works on it. */
export const runStates = [
  "planned",
  "running",
  "open",
  "unknown",
  "scheduled",
  "unscheduled",
  "done",
  "cancelled",
  "damaged",
] as const;

const stateWords: readonly string[] = [
  // States of groups, messages and requests that the service's staff reviews.
  "PENDING",
  "SCHEDULED",
  "SENDING",
  "COMPLETE",
  "FAILED",
  "DELETED",
  "INSPECTING",
  "APPROVED",
  "REJECTED",
  // States of accounts, keys, senders and apps.
  "ACTIVE",
  "INACTIVE",
  "UNVERIFIED",
  "DISABLED",
  "BLOCKED",
  "EXPIRED",
  "DEVELOP",
  "LIVE",
  ...runStates,
  // States of checks and switches.
  "ok",
  "warning",
  "wrong",
  "skipped",
  "yes",
  "no",
  "not known",
  "on",
  "off",
];

/** The cell of a state in the language of the operator; any other cell, and an unknown word, as it is. */
export const stateText = (column: string, cell: string): string =>
  isOfStates(column) && stateWords.includes(cell) ? translated(cell) : cell;

/** The state word that such a cell shows. */
const stateWord = (cell: string): string =>
  stateWords.find((word) => translated(word) === cell) ?? cell;

/** Good news, bad news, or no news yet. */
type Tone = "good" | "bad" | "waiting";

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

/** The tone of a cell; undefined if the column holds no states, or the word has no tone. */
export const toneOf = (column: string, cell: string): Tone | undefined =>
  isOfStates(column) ? words.find(([, pattern]) => pattern.test(stateWord(cell)))?.[0] : undefined;
