/** Runs of `msg` side by side: each spends most of its time waiting for the disk, the line or a pause. */
import { countOf } from "../support/share.ts";

const width = 3;

/** Begins as many as there is room for; none is begun any more once one has failed or there are no more. */
const sideBySide = async (next: () => Promise<void> | undefined): Promise<void> => {
  const all = { over: false };
  const worker = async (): Promise<void> => {
    while (!all.over) {
      const running = next();
      if (running === undefined) return;
      await running.catch((error: unknown) => {
        all.over = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
};

/** Does something with each of them. */
export const several = <T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items];
  return sideBySide(() => {
    const item = left.shift();
    return item === undefined ? undefined : act(item);
  });
};

/**
 * Counts up from a number until one of them answers that there is nothing more: one by one, or in `npm test`
 * by so many.
 */
export const countingUp = (
  from: number,
  act: (at: number) => Promise<boolean>,
  by = 1,
): Promise<void> => {
  const counted = { next: from, over: false };
  return sideBySide(() => {
    if (counted.over) return undefined;
    const at = counted.next;
    counted.next += countOf(1, by);
    return act(at).then((isMore) => {
      counted.over ||= !isMore;
    });
  });
};
