/** State names: translated for people, in the service's spelling for programs, and the tone of their colour. */
import { translated } from "../../locale/locale.ts";

const stateColumn =
  /^(status|state|statusCode|biz|provider[AB]|verdict|stage|memberStatus|allowed|autoRecharge)$/i;

const isOfStates = (column: string): boolean => stateColumn.test(column);

/** Good news, bad news, or no news yet. */
type Tone = "good" | "bad" | "waiting";

/** The states of a run by its journal, or that a process works on it. */
const tonesOfRuns = {
  planned: "waiting",
  running: "waiting",
  open: "waiting",
  unknown: "bad",
  scheduled: "waiting",
  unscheduled: undefined,
  done: "good",
  cancelled: undefined,
  damaged: "bad",
} as const;

export const runStates = Object.keys(tonesOfRuns);

const toned = (tone: Tone | undefined, ...words: readonly string[]) =>
  words.map((word) => [word, tone] as const);

/** Every word of a state, with its tone if it has one: of records of the service, runs, checks and switches. */
const tones: ReadonlyMap<string, Tone | undefined> = new Map([
  ...Object.entries(tonesOfRuns),
  ...toned("good", "COMPLETE", "APPROVED", "ACTIVE", "LIVE", "ok"),
  ...toned("waiting", "PENDING", "SCHEDULED", "SENDING", "INSPECTING", "warning"),
  ...toned("bad", "FAILED", "DELETED", "REJECTED", "INACTIVE", "UNVERIFIED", "DISABLED", "BLOCKED"),
  ...toned("bad", "wrong"),
  ...toned(undefined, "EXPIRED", "DEVELOP", "skipped", "yes", "no", "not known", "on", "off"),
]);

/** The cell of a state in the language of the operator; any other cell, and an unknown word, as it is. */
export const stateText = (column: string, cell: string): string =>
  isOfStates(column) && tones.has(cell) ? translated(cell) : cell;

/** The state word that such a cell shows. */
const stateWord = (cell: string): string =>
  [...tones.keys()].find((word) => translated(word) === cell) ?? cell;

/** Tones of words that are the same in every language. */
const otherTones: readonly (readonly [RegExp, Tone])[] = [
  [/^(delivered|4000)$/i, "good"],
  [/^(requested|[23]000)$/i, "waiting"],
  [/^\d{4}$/, "bad"],
];

/** The tone of a cell; undefined if the column holds no states, or the word has no tone. */
export const toneOf = (column: string, cell: string): Tone | undefined =>
  isOfStates(column) ? toneOfWord(stateWord(cell)) : undefined;

const toneOfWord = (word: string): Tone | undefined =>
  tones.get(word) ??
  tones.get(word.toUpperCase()) ??
  otherTones.find(([pattern]) => pattern.test(word))?.[1];
