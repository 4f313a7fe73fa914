/** Nothing that an assistant is shown holds a number that could be called, unless a person says so. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { maskText, maskValue } from "../../src/mcp/assistant.ts";

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length });
const mobile = fc
  .tuple(fc.constantFrom("010", "011", "016", "019"), digits(8))
  .map((it) => it.join(""));

test("a recipient is masked wherever it stands, in JSON and in sentences", () => {
  const around = fc.constantFrom(
    "row 4, #: blocked",
    "#",
    "call # or",
    '"#"',
    "(#)",
    "번호 #입니다",
  );
  fc.assert(
    fc.property(
      mobile,
      around,
      fc.constantFrom("to", "text", "recipient", "why"),
      (number, text, name) => {
        const value = { messages: [{ [name]: [text.replace("#", number)] }], from: "0200000000" };
        const shown = JSON.stringify(maskValue(value, false));
        expect(shown).not.toContain(number);
        expect(shown).toContain("0200000000");
        expect(maskText(text.replace("#", number))).not.toContain(number);
        expect(JSON.stringify(maskValue(value, true))).toContain(number);
      },
    ),
  );
});

test.each([
  ["010-1234-5678", "010****5678"],
  ["+82 10-1234-5678", "821****5678"],
  ["M4V20260105181031000000181QP10F3", "M4V20260105181031000000181QP10F3"],
  ["2026-01-05T09:00:05.820Z", "2026-01-05T09:00:05.820Z"],
  ["26010500000001", "26010500000001"],
])("%s is shown as %s", (text, shown) => {
  expect(maskText(text)).toBe(shown);
});

test("a recipient that names a member is masked, too", () => {
  expect(maskValue({ "01012345678": 1 }, false)).toEqual({ "010****5678": 1 });
});

test("a recipient abroad is masked by its place, and secrets with every flag", () => {
  expect(maskValue({ to: "12125550123" }, false)).toEqual({ to: "121****0123" });
  expect(maskValue({ to: ["12125550123", "0212345678"] }, false)).toEqual({
    to: ["121****0123", "021****5678"],
  });
  const details = [{ field: "12125550123" }, { field: "0212345678" }, { field: "to" }];
  const fields = ["121****0123", "021****5678", "to"];
  expect(maskValue({ details }, false)).toEqual({ details: fields.map((field) => ({ field })) });
  const secrets = { senderKeys: [{ key: "0f3c9a17" }], accountNumber: "110123", nextKey: "M4V1" };
  expect(maskValue(secrets, true)).toEqual({
    senderKeys: [{ key: "****" }],
    accountNumber: "****",
    nextKey: "M4V1",
  });
});
