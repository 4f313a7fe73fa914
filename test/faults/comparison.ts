/** The same sends over a line that loses answers, by whichever client; the sandbox's books count them. */
import { numbersOf, openService } from "./books.ts";
import { type LineOptions, openLine } from "./line.ts";

/** Performed, and the answer is lost: one of ten, never two in a row. */
const losing: LineOptions["harm"] = ({ number }) =>
  (number * 7) % 10 === 3 ? "dropAfter" : undefined;

export interface Booked {
  /** Recipients who got the message. */
  readonly reached: number;
  /** Messages above one for each of them. */
  readonly duplicates: number;
}

/** What the books say after `client` has sent to so many recipients over the line. */
export const overLossyLine = async (
  folder: string,
  count: number,
  client: (baseUrl: string, recipients: readonly string[]) => Promise<unknown>,
): Promise<Booked> => {
  const service = await openService(folder);
  const line = await openLine({ to: service.baseUrl, harm: losing });
  try {
    await client(line.baseUrl, numbersOf(count));
    const sent = [...service.books().values()];
    const messages = sent.reduce((sum, it) => sum + it, 0);
    return { reached: sent.length, duplicates: messages - sent.length };
  } finally {
    await line.stop();
    await service.stop();
  }
};

/** One call for each row, as the other client makes them. */
export const callByCall = ["--direct", "--chunk", "1", "--concurrency", "1"] as const;
