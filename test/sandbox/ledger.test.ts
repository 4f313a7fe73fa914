import fc from "fast-check";
import { test } from "vitest";
import { checkBooks } from "../support/books.ts";
import { openWorld, sms } from "./world.ts";

const recipient = fc.oneof(
  fc
    .constantFrom("3104", "3042", "2062", "2000", "3000", "1060", "4000")
    .map((it) => `0100000${it}`),
  fc.integer({ min: 0, max: 30 }).map((it) => `010200000${String(it).padStart(2, "0")}`),
);
const message = fc
  .record({
    to: recipient,
    subject: fc.constantFrom(undefined, "title"),
    country: fc.constantFrom("82", "1"),
  })
  .map(({ to, ...members }) => sms(to, members));
const step = fc.oneof(
  fc.record({
    messages: fc.array(message, { minLength: 1, maxLength: 8 }),
    inMs: fc.constantFrom(0, 0, 0, 1500, 60_000),
    allowDuplicates: fc.boolean(),
  }),
  fc.record({ pass: fc.constantFrom(1, 500, 1000, 5000, 90_000_000) }),
  fc.record({ set: fc.record({ balance: fc.nat(500), point: fc.nat(200), quota: fc.nat(40) }) }),
);

test("ledger and purses, counts and rows agree after whatever happens", async () => {
  const world = await openWorld();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const it of steps) {
        if ("pass" in it) world.pass(it.pass);
        else if ("set" in it) await world.call("PUT", "/_sandbox/settings", it.set);
        else {
          const { messages, allowDuplicates, inMs } = it;
          const scheduledDate = new Date(world.clock.now.getTime() + inMs).toISOString();
          await world.call("POST", "/messages/v4/send-many/detail", {
            messages,
            allowDuplicates,
            scheduledDate,
          });
        }
        await world.call("GET", "/cash/v1/balance");
        checkBooks(world);
      }
    }),
    { numRuns: 60 },
  );
});
