/** Which recipients a run has met: exact, and flat in memory for the numbers that most lists hold. */
import type { MessageInput } from "../../contract/message-records.ts";
import type { SkippedMessage } from "../plan/skipped-rows.ts";
import { isExcluded } from "../sources/exclude.ts";

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
  const others = new Set<string>();
  const isKnown = (key: string): boolean => others.size === others.add(key).size;
  const mobiles = mobileNumbers();
  const isMet = (message: MessageInput): boolean => {
    if (dedupe === "off") return false;
    const to = String(message.to);
    const country = message.country || "82";
    if (dedupe === "to+text") return isKnown(`${country} ${to} ${textOf(message)}`);
    // The same number in another country is another recipient.
    if (country === "82" && /^010\d{8}$/.test(to)) return mobiles(Number(to.slice(3)));
    return isKnown(`${country} ${to}`);
  };
  const byNumber = { to: mobiles, off: () => false, "to+text": undefined }[dedupe];
  return {
    skipReason: (message) => {
      if (isExcluded(excluded, message)) return "excluded";
      return isMet(message) ? "duplicate" : undefined;
    },
    mobile: excluded.size === 0 ? byNumber : undefined,
  };
};

/** What a message says; of a template its variables say it. */
const textOf = ({ text = "", kakaoOptions, naverOptions, rcsOptions }: MessageInput): string => {
  const options = kakaoOptions ?? naverOptions ?? rcsOptions;
  return options === undefined ? text : JSON.stringify([text, options]);
};

/** One bit for each of the hundred million numbers behind 010, a page of them at a time. */
const mobileNumbers = (): ((number: number) => boolean) => {
  const pages: (Uint8Array | undefined)[] = [];
  return (number) => {
    const at = number >>> 3;
    const page = pages[at >>> 16] ?? new Uint8Array(1 << 16);
    pages[at >>> 16] = page;
    const bit = 1 << (number & 7);
    const before = page[at & 0xffff] ?? 0;
    page[at & 0xffff] = before | bit;
    return (before & bit) !== 0;
  };
};
