/** Which recipients a run has met: exact, for as many as a list may hold. */
import type { MessageInput } from "../../contract/message-records.ts";
import type { SkippedMessage } from "../plan/skipped-rows.ts";
import { isExcluded } from "../sources/exclude.ts";
import { type AddNumber, createNumberSet } from "./number-set.ts";

/** Which later rows to the same recipient are skipped. */
export type Dedupe = "to" | "to+text" | "off";

/** Decides which messages are not sent, and remembers their recipients. */
export interface SeenRecipients {
  readonly skipReason: (message: MessageInput) => SkippedMessage["reason"] | undefined;
  /**
   * Whether a number in Korea was met before, by the eight digits behind its 010; undefined where that
   * does not decide it.
   */
  readonly mobile: ((digits: number) => boolean) | undefined;
}

/** `excluded`: numbers, as digits, that get nothing. */
export const createSeenRecipients = (
  dedupe: Dedupe = "to",
  excluded: ReadonlySet<string> = new Set(),
): SeenRecipients => {
  const numbers = createSeenNumbers();
  const texts = createTextSet();
  const isMet = (message: MessageInput): boolean => {
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
  const mobile = (digits: number): boolean => !mobiles(firstMobile + digits);
  const byNumber = { to: mobile, off: () => false, "to+text": undefined }[dedupe];
  return {
    skipReason: (message) => {
      if (isExcluded(excluded, message)) return "excluded";
      return isMet(message) ? "duplicate" : undefined;
    },
    mobile: excluded.size === 0 ? byNumber : undefined,
  };
};

const korea = "82";
/** What every number is that a set of numbers takes: below 2^53. */
const isNumber = /^\d{1,15}$/;
/** 010 and eight digits, as a number. */
const mobileLength = 11;
const firstMobile = 1_000_000_000;

/** What a message says; of a template its variables say it. */
const textOf = ({ text = "", kakaoOptions, naverOptions, rcsOptions }: MessageInput): string => {
  const options = kakaoOptions ?? naverOptions ?? rcsOptions;
  return options === undefined ? text : JSON.stringify([text, options]);
};

/** Zeros in front count: numbers of one country and one length are a set of their own. */
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
const mostInSet = 2 ** 23;

/** Takes texts in, as many as there is memory for; false where one was there before. */
const createTextSet = (): ((text: string) => boolean) => {
  let newest = new Set<string>();
  const sets = [newest];
  return (text) => {
    if (sets.some((it) => it.has(text))) return false;
    if (newest.size === mostInSet) {
      newest = new Set();
      sets.push(newest);
    }
    newest.add(text);
    return true;
  };
};
