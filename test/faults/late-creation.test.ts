/** The answer to a creation that was given up comes in place of a later one's: its group was made for other rows. */
import { expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { hurried, hurriedWorld } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, openService, rowsOf, sending } from "./books.ts";
import { openLine, type Refused } from "./line.ts";
import { oneService } from "./one-service.ts";
import { isOf, ownWords, recordOf } from "./strangers.ts";

const { opened, nextBatch } = oneService();

test("no rows are filled into it: what each group says that it holds it holds, and others send nothing", async () => {
  const first = nextBatch();
  const numbers = numbersOf(4, first);
  const made: { count: number; answer?: Refused } = { count: 0 };
  const line = await openLine({
    to: opened().baseUrl,
    heard: (passing, { body }) => {
      if (isOf("create", passing)) made.answer ??= recordOf(body);
    },
    harm: (passing) => {
      if (!isOf("create", passing)) return undefined;
      made.count += 1;
      if (made.count === 1) return "dropAfter";
      return made.count === 3 ? made.answer : undefined;
    },
  });
  const words = sending("--chunk", "2", "--group-size", "2", "--json");
  const stdin = rowsOf(4, first);
  const at = shell({ env: envFor(line), ...hurried() });
  const ran = await at(words, { stdin });
  await line.stop();
  expect([ran.code, opened().countsOf(numbers)], ran.err).toEqual([0, [1, 1, 1, 1]]);
  // By what the groups say alone.
  const other = await shell({ env: envFor(opened()) })(words, { stdin });
  expect([other.code, opened().countsOf(numbers)], other.err).toEqual([7, [1, 1, 1, 1]]);
  expect(made.count).toBe(4);
});

test("a day later, for the same rows: its record says how old it is, and another group is filled", async () => {
  const first = nextBatch();
  const numbers = numbersOf(2, first);
  const made: { count: number; answer?: Refused } = { count: 0 };
  const line = await openLine({
    to: opened().baseUrl,
    heard: (passing, { body }) => {
      if (!isOf("create", passing) || made.answer) return;
      opened().rows(aDayLater);
      made.answer = recordOf(body);
    },
    harm: (passing) => {
      if (!isOf("create", passing)) return undefined;
      made.count += 1;
      if (made.count === 1) return "dropAfter";
      return made.count === 2 ? made.answer : undefined;
    },
  });
  const at = shell({ env: envFor(line), ...hurried() });
  const ran = await at(sending("--json"), { stdin: rowsOf(2, first) });
  await line.stop();
  expect([ran.code, opened().countsOf(numbers), made.count], ran.err).toEqual([0, [1, 1], 3]);
});

/** The service's records are of a day later from now on, and its signatures of today. */
const aDayLater = `INSERT INTO settings (name, value) VALUES ('clockOffsetMs', '${26 * 3_600_000}')
  ON CONFLICT DO UPDATE SET value = excluded.value`;

test("a day passes between two attempts to send a group: another is filled, each row once", async () => {
  const clock = hurriedWorld();
  const service = await openService(freshFolder(), clock.now);
  const seen = { made: 0, sends: 0 };
  const line = await openLine({
    to: service.baseUrl,
    date: clock.now,
    harm: (passing) => {
      if (isOf("create", passing)) seen.made += 1;
      if (!isOf("send", passing)) return undefined;
      seen.sends += 1;
      if (seen.sends > 1) return undefined;
      clock.pass(24 * 3_600_000);
      const more = { date: clock.now().toUTCString() };
      return { ...ownWords(429, "TooManyRequests", more).answer, performed: false };
    },
  });
  const ran = await shell({ env: envFor(line), ...clock })(sending("--json"), { stdin: rowsOf(2) });
  await line.stop();
  const sent = service.countsOf(numbersOf(2));
  await service.stop();
  expect([ran.code, sent, seen], ran.err).toEqual([0, [1, 1], { made: 2, sends: 2 }]);
});
