import { expect, test } from "vitest";
import { createFailureTally, type Failure } from "../../src/message/failures.ts";

const failure: Failure = {
  day: "2026/01/15",
  code: "3104",
  carrier: "",
  type: "sms",
  country: "82",
  count: 1,
};

test("a type that no message failed with has no share and needs no price", () => {
  const tally = createFailureTally(["code"]);
  tally.add({ ...failure, code: "3040", count: 0 });
  expect(tally.rows({})).toEqual([]);
  tally.add(failure);
  tally.add({ ...failure, type: "nsa", count: 0 });
  const names = { countryId: "82", countryName: "대한민국", dateCreated: "", dateUpdated: "" };
  const price = { ...names, sms: 20, lms: 50, mms: 200, ata: 13, cta: 19, cti: 23 };
  expect(tally.rows({ "82": price })).toMatchObject([
    { code: "3104", count: 1, share: 100, refunded: 20 },
  ]);
});
