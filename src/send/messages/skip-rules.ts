/** Which messages are not sent: to a recipient that is excluded, or that was seen before. Exact for any list. */
import type { MessageInput } from "../../contract/message-records.ts";
import { isExcluded } from "./number-list.ts";
import { type AddNumber, createNumberSet } from "./number-set.ts";

export type SkipReason = "duplicate" | "excluded";

/** Which later rows to the same recipient are skipped. */
export type Dedupe = "to" | "to+text" | "off";

/** Decides which messages are not sent, and remembers their recipients. `excluded`: numbers, as digits. */
export const createSkipRules = (
  dedupe: Dedupe = "to",
  excluded: ReadonlySet<string> = new Set(),
) => {
  const numbers = createSeenNumbers();
  const texts = createTextSet();
  const isSeen = (message: MessageInput): boolean => {
    if (dedupe === "off") return false;
    const to = String(message.to);
    const country = message.country || korea;
    if (dedupe === "to+text") return !texts(`${country} ${to} ${textOf(message)}`);
    // The same number in another country is another recipient.
    return !(isNumber.test(to)
      ? numbers(country, to.length)(Number(to))
      : texts(`${country} ${to}`));
  };
  const mobiles = numbers(korea, mobileLength);
  const wasSeen = (digits: number): boolean => !mobiles(firstMobile + digits);
  const byNumber = { to: wasSeen, off: () => false, "to+text": undefined }[dedupe];
  return {
    skipReason: (message: MessageInput): SkipReason | undefined => {
      if (isExcluded(excluded, message)) return "excluded";
      return isSeen(message) ? "duplicate" : undefined;
    },
    /**
     * Whether a Korean mobile number was seen before, by the eight digits after its 010; undefined if they do
     * not decide it.
     */
    isMobileSeen: excluded.size === 0 ? byNumber : undefined,
  };
};

const korea = "82";
/** Numbers that a set of numbers takes: below 2^53. */
const isNumber = /^\d{1,15}$/;
/** 010 and eight digits, as a number. */
const mobileLength = 11;
const firstMobile = 1_000_000_000;

/** What makes a text different; with a template its variables do. */
const textOf = ({ text = "", kakaoOptions, naverOptions, rcsOptions }: MessageInput): string => {
  const options = kakaoOptions ?? naverOptions ?? rcsOptions;
  return options === undefined ? text : JSON.stringify([text, options]);
};

/** Leading zeros count, so there is a set for each country and length. */
const createSeenNumbers = () => {
  const sets = new Map<string, AddNumber>();
  return (country: string, length: number): AddNumber => {
    const key = `${country} ${length}`;
    const found = sets.get(key) ?? createNumberSet();
    sets.set(key, found);
    return found;
  };
};

/** A JavaScript Set ends at 2^24. */
const maxInSet = 2 ** 23;

/** Adds a text, as many as there is memory for; false if it was there before. */
const createTextSet = (): ((text: string) => boolean) => {
  let newest = new Set<string>();
  const sets = [newest];
  return (text) => {
    if (sets.some((it) => it.has(text))) return false;
    if (newest.size === maxInSet) {
      newest = new Set();
      sets.push(newest);
    }
    newest.add(text);
    return true;
  };
};
