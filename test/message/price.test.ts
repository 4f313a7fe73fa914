import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Price } from "../../src/contract/account.ts";
import type { MessageInput } from "../../src/contract/message-records.ts";
import { fallbacksOf, sumOf, totalPrice } from "../../src/message/price.ts";

const price = (countryId: string, sms: number): Price => ({
  countryId,
  countryName: countryId,
  sms,
  lms: 50,
  mms: 200,
  ata: 19,
  cta: 13,
  cti: 20,
  dateCreated: "",
  dateUpdated: "",
});
const prices = { "82": price("82", 20), "1": price("1", 50) };

test("a sum of amounts has no trace of how fractions are kept", () => {
  expect(sumOf([8.3, 8.3, 8.3])).toBe(24.9);
  expect(sumOf([0.1, 0.2, -0.3])).toBe(0);
});

test("what may go out in place of a message is priced as far as its text is known", () => {
  const kakao = { to: ["01000000001", "01000000002"], kakaoOptions: { pfId: "KA01PF" } };
  const priced = (message: MessageInput) => totalPrice(fallbacksOf(message), prices);
  expect(priced({ ...kakao, text: "a" })).toBe(40);
  expect(priced({ ...kakao, text: "a", subject: "b" })).toBe(100);
  expect(priced({ ...kakao, text: "a", replacementText: "가".repeat(46) })).toBe(100);
  expect(priced({ ...kakao, replacements: [{ text: "a" }, { text: "a", subject: "b" }] })).toBe(
    140,
  );
  const none = { ...kakao, kakaoOptions: { ...kakao.kakaoOptions, disableSms: true } };
  expect(fallbacksOf({ ...none, text: "a", replacementText: "a" })).toEqual([]);
  expect(fallbacksOf({ ...kakao, kakaoOptions: { templateId: "KA01TP" } })).toEqual([]);
  expect(fallbacksOf({ to: "01000000001", text: "a" })).toEqual([]);
  expect(fallbacksOf({ to: "01000000001", text: "a", type: "" })).toEqual([]);
});

describe("the price of messages", () => {
  test("is the sum over types and countries, each number of a list counted", () => {
    const messages = [
      { to: "01000000001", text: "a" },
      { to: ["01000000001", "01000000002"], text: "a" },
      { to: "01000000001", text: "가".repeat(46) },
      { to: "2125550100", text: "a", country: "1" },
      { to: "01000000001", text: "a", country: "" },
    ];
    expect(totalPrice(messages, prices)).toBe(20 + 40 + 50 + 50 + 20);
  });

  test("is not known where one unit price is not known", () => {
    expect(totalPrice([{ to: "1", country: "81" }], prices)).toBeUndefined();
    expect(totalPrice([{ to: "1", naverOptions: {} }], prices)).toBeUndefined();
  });

  test("of nothing is nothing", () => {
    expect(totalPrice([], {})).toBe(0);
  });

  test("is exact for prices with fractions, however many messages", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(300), (tenths, count) => {
        const messages = Array(count).fill({ to: "1", text: "a" });
        const sum = totalPrice(messages, { "82": price("82", tenths / 10) });
        expect(sum).toBe((tenths * count) / 10);
      }),
    );
  });
});
