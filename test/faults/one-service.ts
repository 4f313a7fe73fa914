/** One service for all tests of a file, and recipients of its own for each of them. */
import { afterAll, beforeAll } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { openService, type Service } from "./books.ts";

export interface OneService {
  readonly opened: () => Service;
  /** Number of the first of so many recipients that nobody has sent to. */
  readonly nextBatch: (rows?: number) => number;
}

/** Open from before the first test of the file until behind its last one; `now` is its clock. */
export const oneService = (now?: () => Date): OneService => {
  const open: { it?: Service; next: number } = { next: 0 };
  beforeAll(async () => {
    open.it = await openService(freshFolder(), now);
  });
  afterAll(() => open.it?.stop());
  return {
    opened: () => {
      if (open.it) return open.it;
      throw new Error("a test begins behind beforeAll");
    },
    nextBatch: (rows = 100) => {
      open.next += rows;
      return open.next - rows;
    },
  };
};
