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
test.each([-90, -18, -14, 4, 14, 25, 90])(
  "with a clock that is %i minutes behind, a single send is told so, and sent once",
  async (minutes) => {
    const to = numbersOf(1, nextBatch());
    const now = () => new Date(Date.now() - minutes * 60_000);
    const at = shell({ env: envFor(opened()), now });
    const { code, err } = await at(`send --to ${to} --from 0200000000 --text x`);
    expect([code, err]).toEqual([0, expect.stringMatching(/set the clock\n$/)]);
    expect(opened().countsOf(to)).toEqual([1]);
  },
);

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
