import { describe, expect, test } from "vitest";
import { type OutcomeEvidence, outcomeOf } from "../../src/client/outcome.ts";

const answer = (status: number, serviceCode?: string, isUsable = false): OutcomeEvidence => ({
  status,
  serviceCode,
  isUsable,
});

const skewed = (isSkewExplained: boolean): OutcomeEvidence => ({
  ...{ status: 403, serviceCode: "requesttimetooskewed", isUsable: false, isSkewExplained },
});

/** Evidence, then the verdict on a read, on a write that settles, and on one that does not. */
const rows: readonly (readonly [string, OutcomeEvidence, string, string, string])[] = [
  ["never connected", { phase: "unconnected" }, "not_sent", "not_sent", "not_sent"],
  ["certificate refused", { phase: "insecure" }, "not_sent", "not_sent", "not_sent"],
  ["no answer after connecting", { phase: "sent" }, "not_sent", "unknown", "unknown"],
  ["200 with its members", answer(200, undefined, true), "done", "done", "done"],
  ["204", answer(204, undefined, true), "done", "done", "done"],
  ["200 cut short", answer(200), "refused", "unknown", "unknown"],
  ["a redirect", answer(302), "refused", "unknown", "unknown"],
  ["400 of a gateway", answer(400), "refused", "unknown", "unknown"],
  ["403 of a firewall", answer(403), "refused", "unknown", "unknown"],
  ["404 of a proxy", answer(404), "refused", "unknown", "unknown"],
  ["429 of a gateway", answer(429), "refused", "unknown", "unknown"],
  ["a date too far off, as both clocks say", skewed(true), "refused", "refused", "refused"],
  ["a date too far off, for no reason", skewed(false), "refused", "unknown", "unknown"],
  ["400 with a code", answer(400, "validationerror"), "refused", "refused", "refused"],
  ["403 InvalidAPIKey", answer(403, "invalidapikey"), "refused", "refused", "refused"],
  ["402", answer(402, "notenoughbalance"), "refused", "refused", "refused"],
  ["409 AlreadySent", answer(409, "alreadysent"), "refused", "refused", "refused"],
  ["429", answer(429, "toomanyrequests"), "refused", "refused", "refused"],
  ["DuplicatedSignature", answer(403, "duplicatedsignature"), "refused", "unknown", "unknown"],
  ["408 is no refusal", answer(408), "refused", "unknown", "unknown"],
  ["499 of a gateway that waited no longer", answer(499), "refused", "unknown", "unknown"],
  ["500", answer(500, "internalerror"), "refused", "unknown", "unknown"],
  ["502 of a proxy", answer(502), "refused", "unknown", "unknown"],
  ["503 is not safe", answer(503), "refused", "unknown", "unknown"],
];

describe("what became of a request", () => {
  test.each(rows)("%s", (_, evidence, read, settling, unsafe) => {
    expect(outcomeOf("safe", evidence)).toBe(read);
    expect(outcomeOf("settling", evidence)).toBe(settling);
    expect(outcomeOf("unsafe", evidence)).toBe(unsafe);
  });

  test("a write is called not sent only where no connection was ready", () => {
    const statuses = Array.from({ length: 500 }, (_, at) => at + 100);
    const verdicts = statuses.flatMap((status) => [
      outcomeOf("unsafe", answer(status)),
      outcomeOf("unsafe", answer(status, undefined, true)),
      outcomeOf("unsafe", answer(status, "forbidden")),
    ]);
    expect(new Set(verdicts)).toEqual(new Set(["unknown", "refused", "done"]));
  });
});
