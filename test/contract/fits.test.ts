/** What is found to fit in a hurry is what the library takes as it is. */
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { fitting } from "../../src/contract/fits.ts";
import { addGroupMessages, createGroup } from "../../src/contract/groups.ts";
import { messageInput } from "../../src/contract/message-records.ts";
import { sendManyDetail } from "../../src/contract/messages.ts";

const schemas = {
  message: messageInput,
  add: addGroupMessages.body,
  detail: sendManyDetail.body,
  group: createGroup.body,
};

const words = ["to", "from", "text", "messages", "strict", "customFields", "agent", "appId"];
const names = fc.constantFrom(...words, "kakaoOptions", "other", "__proto__", "constructor");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("01000000001", "", 1, true, null, [], {}),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 5 }).map(Object.fromEntries),
  ),
}));
const message = fc.record(
  {
    to: fc.oneof(fc.constant("01000000001"), fc.array(fc.constant("01000000002")), value),
    from: fc.constantFrom("0200000000", 1),
    text: fc.string(),
    customFields: fc.dictionary(names, fc.oneof(fc.string(), fc.integer())),
    other: fc.constant(1),
  },
  { requiredKeys: [] },
);
const body = fc.record(
  {
    messages: fc.oneof(fc.array(message), fc.string(), value),
    strict: fc.constantFrom(true, false, null),
    agent: fc.record({ appId: fc.constantFrom("a", null, 1) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);

describe.each(Object.entries(schemas))("%s", (_, schema) => {
  const fits = fitting(schema);

  test("takes nothing that the library refuses or changes", () => {
    fc.assert(
      fc.property(fc.oneof(value, message, body), (made) => {
        // As a body arrives: nothing undefined in it, and no prototype but the usual one.
        const given: unknown = JSON.parse(JSON.stringify(made));
        if (!fits(given)) return;
        expect(v.safeParse(schema, given)).toMatchObject({ success: true, output: given });
        expect(v.parse(schema, given)).toEqual(given);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("the usual message and the usual call fit", () => {
  const given = {
    to: "01000000001",
    from: "0200000000",
    text: "hello",
    customFields: { "msg.run": "20260105-180000000-000000", "msg.row": "1" },
  };
  expect(fitting(messageInput)(given)).toBe(true);
  expect(fitting(addGroupMessages.body)({ messages: [given] })).toBe(true);
  expect(fitting(sendManyDetail.body)({ messages: [given], strict: true })).toBe(true);
});

test("a schema that does more than to look never fits", () => {
  const trimmed = v.pipe(v.string(), v.trim());
  expect(fitting(trimmed)("a")).toBe(false);
  expect(fitting(v.object({ name: v.optional(v.string(), "nobody") }))({})).toBe(false);
});
