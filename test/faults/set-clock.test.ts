/** Somebody sets the clock of a machine between two sends of the same list. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const dayMs = 24 * 60 * 60_000;

const settings = [
  ["ahead", [0, 2 * dayMs]],
  ["back", [2 * dayMs, 0]],
  ["right after it was behind", [-2 * dayMs, 0]],
  ["behind", [0, -2 * dayMs]],
] as const;
const paths = [["--direct"], ["--staged"]] as const;

test.each(settings.flatMap(([name, times]) => paths.map((path) => [name, path, times] as const)))(
  "a clock that is set %s lets no list out again, sent with %s",
  async (_, path, times) => {
    const [before, after] = times;
    const first = nextBatch();
    const stdin = rowsOf(2, first);
    const clock = { ms: before };
    const at = shell({ env: envFor(opened()), now: () => new Date(Date.now() + clock.ms) });
    const sent = await at(sending(...path, "--json"), { stdin });
    expect(sent.code, sent.err).toBe(0);
    clock.ms = after;
    const again = await at(sending(...path, "--json"), { stdin });
    expect([again.code, again.err]).toEqual([7, expect.stringContaining("SentBefore")]);
    expect(opened().countsOf(numbersOf(2, first))).toEqual([1, 1]);
  },
);
