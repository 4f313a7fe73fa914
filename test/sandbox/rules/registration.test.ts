import { describe, expect, test } from "vitest";
import type { MessageInput } from "../../../src/contract/message-records.ts";
import { statusCodes } from "../../../src/message/status.ts";
import type { AccountLookups } from "../../../src/sandbox/rules/lookups.ts";
import {
  dropsConnection,
  expandRecipients,
  outcomeOf,
  refusalOf,
} from "../../../src/sandbox/rules/recipients.ts";
import { createRegistration } from "../../../src/sandbox/rules/registration.ts";

const known = (): AccountLookups => ({
  isSender: (phoneNumber) => phoneNumber === "0200000000",
  blockCode: () => undefined,
  isImage: (imageId) => imageId === "IMAGE",
  isKakaoImage: (imageId) => imageId === "KAKAO",
  isChannel: (pfId) => pfId === "PF",
  approvedTemplate: () => undefined,
  unitPrice: (type, countryId) => (countryId === "44" ? undefined : type === "sms" ? 20 : 50),
  accepted: new Set(),
});
const codeOf = (message: MessageInput, strict = false): string =>
  createRegistration(known(), strict)(message).statusCode;
const good: MessageInput = { to: "01012345678", from: "0200000000", text: "hello" };

describe("registration", () => {
  test.each<[string, MessageInput, string]>([
    ["a good message", {}, "2000"],
    ["hyphens in numbers", { to: "010-1234-5678", from: "02-0000-0000" }, "2000"],
    ["no recipient", { to: "" }, "1010"],
    ["no sender", { from: "" }, "1010"],
    ["no text", { text: "" }, "1010"],
    ["letters in a number", { to: "010ABCD5678" }, "1011"],
    ["a short number", { to: "0101234" }, "1011"],
    ["an unknown type", { type: "PIGEON" }, "1025"],
    ["a type that is not charged", { type: "VOICE" }, "1025"],
    ["a control character", { text: "a\u0007b" }, "1028"],
    ["a subject on an SMS", { type: "SMS", subject: "x" }, "1013"],
    ["a long subject", { subject: "x".repeat(41) }, "1014"],
    ["a long text", { text: "x".repeat(2001) }, "1031"],
    ["a number as custom field", { customFields: { n: 1 } }, "1032"],
    ["Kakao options on an SMS", { type: "SMS", kakaoOptions: { pfId: "PF" } }, "1033"],
    ["an unknown picture", { imageId: "NONE" }, "1034"],
    ["a known picture", { imageId: "IMAGE" }, "2000"],
    ["a picture unknown to Kakao", { kakaoOptions: { pfId: "PF", imageId: "IMAGE" } }, "1051"],
    ["an unknown channel", { kakaoOptions: { pfId: "NONE" } }, "1041"],
    ["an unknown sender", { from: "0211112222" }, "1062"],
    ["an unknown sender abroad", { from: "0211112222", country: "1" }, "1062"],
    ["a country without prices", { country: "44" }, "1058"],
    ["an LMS abroad", { country: "1", subject: "x" }, "1058"],
    ["a forced refusal", { to: "01000001061" }, "1061"],
  ])("%s", (_, members, code) => {
    expect(codeOf({ ...good, ...members })).toBe(code);
  });

  test("a character outside the completed set is refused under strict only", () => {
    expect(codeOf({ ...good, text: "뷁" })).toBe("2000");
    expect(codeOf({ ...good, text: "뷁" }, true)).toBe("1029");
  });

  test("the first check that fails gives the code", () => {
    const wrong = { to: "010", from: "0211112222", text: "a\u0007b", type: "PIGEON" };
    expect(codeOf(wrong)).toBe("1011");
    expect(codeOf({ ...wrong, to: "01000001061" })).toBe("1025");
    expect(codeOf({ ...wrong, to: "01000001061", type: "SMS" })).toBe("1028");
    expect(codeOf({ ...wrong, to: "01000001061", type: "SMS", text: "a" })).toBe("1062");
  });

  test("a refused message is no duplicate of the one that follows", () => {
    const register = createRegistration(known(), false);
    const codes = [{ ...good, from: "0211112222" }, good, good, { ...good, country: "1" }].map(
      (message) => register(message).statusCode,
    );
    expect(codes).toEqual(["1062", "2000", "1026", "2000"]);
  });

  test("an accepted message has its price and its end, a refused one costs nothing", () => {
    const register = createRegistration(known(), false);
    const lms = register({ ...good, to: "01000003104", subject: "x" });
    expect(lms).toMatchObject({ type: "LMS", statusCode: "2000", outcome: "3104", price: 50 });
    const refused = register({ ...good, from: "0211112222" });
    expect(refused).toMatchObject({ statusCode: "1062", outcome: "1062", price: 0 });
  });
});

describe("recipients", () => {
  test("every published code can be had from a number, and only those", () => {
    for (let n = 0; n < 10_000; n += 1) {
      const code = String(n).padStart(4, "0");
      const to = `0100000${code}`;
      const isPublished = statusCodes.has(code);
      expect(refusalOf(to, "82")).toBe(isPublished && code.startsWith("1") ? code : undefined);
      expect(outcomeOf(to, "82")).toBe(isPublished ? code : "4000");
    }
    expect(outcomeOf("01000003104", "1")).toBe("4000");
    expect(outcomeOf("01100003104", "82")).toBe("4000");
  });

  test("one number breaks the line, with hyphens or without", () => {
    expect(["01000009999", "010-0000-9999", "01000009998"].map(dropsConnection)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("lists of numbers become messages in order; the rest stays as it is", () => {
    const messages = [{ ...good, to: ["1", "2"] }, good, { ...good, to: [] }, {}];
    expect(expandRecipients(messages).map(({ to }) => to)).toEqual([
      "1",
      "2",
      "01012345678",
      [],
      undefined,
    ]);
  });
});
