/** Which recipients a run has met: exact, and flat in memory for the numbers that most lists hold. */
import type { MessageInput } from "../../contract/message-records.ts";

/** Which later rows to the same recipient are skipped. */
export type Dedupe = "to" | "to+text" | "off";

/** Each answers whether a recipient was met before, and remembers it. */
export interface SeenRecipients {
  readonly message: (message: MessageInput) => boolean;
  /** The same for a number in Korea, by the eight digits behind its 010; undefined where that is not enough. */
  readonly mobile: ((digits: number) => boolean) | undefined;
}

export const createSeenRecipients = (dedupe: Dedupe): SeenRecipients => {
  if (dedupe === "off") return { message: () => false, mobile: () => false };
  const others = new Set<string>();
  const once = (key: string): boolean => others.size === others.add(key).size;
  const mobiles = mobileNumbers();
  const met = (message: MessageInput): boolean => {
    const to = String(message.to);
    const country = message.country || "82";
    if (dedupe === "to+text") return once(`${country} ${to} ${textOf(message)}`);
    // The same number in another country is another recipient.
    if (country === "82" && /^010\d{8}$/.test(to)) return mobiles(Number(to.slice(3)));
    return once(`${country} ${to}`);
  };
  return { message: met, mobile: dedupe === "to" ? mobiles : undefined };
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
