import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MessageInput } from "../../src/contract/message-records.ts";
import { allProblems, firstProblem, registrationChecks } from "../../src/message/check.ts";
import type { Check } from "../../src/message/check-members.ts";

const good: MessageInput = { to: "01000000001", from: "0200000000", text: "hello" };
const checkMessage = (
  message: MessageInput,
  options: Parameters<typeof registrationChecks>[0] = {},
) => allProblems(message, registrationChecks(options));
const codes = (message: MessageInput, strict = false) =>
  checkMessage({ ...good, ...message }, { strict }).map(({ code }) => code);

const kakao = (options: MessageInput["kakaoOptions"]): MessageInput => ({ kakaoOptions: options });
const friendTalk = (button: Record<string, string>) =>
  kakao({ pfId: "P", buttons: [{ buttonName: "go", buttonType: "WL", ...button }] });
const link = "https://example.com/";

const alimtalk = (characters: number) => ({
  text: "a".repeat(characters),
  ...kakao({ pfId: "P", templateId: "T" }),
});

describe("a message is refused at the door with the code that the service would give", () => {
  test.each<[string, MessageInput, string[]]>([
    ["a plain one is not", {}, []],
    ["numbers with hyphens are not", { to: "010-0000-0001", from: "02-000-0000" }, []],
    ["45 Hangul fit an SMS", { type: "SMS", text: "가".repeat(45) }, []],
    ["46 Hangul do not", { type: "SMS", text: "가".repeat(46) }, ["1031"]],
    ["46 Hangul without a type do, as LMS", { text: "가".repeat(46) }, []],
    ["1,000 Hangul fit", { text: "가".repeat(1000) }, []],
    ["1,001 Hangul do not", { text: "가".repeat(1001) }, ["1031"]],
    ["2,001 Latin do not", { text: "a".repeat(2001) }, ["1031"]],
    ["no recipient", { to: "" }, ["1010"]],
    ["an empty list of recipients", { to: [] }, ["1010"]],
    ["no sender", { from: "" }, ["1010"]],
    ["no text", { text: "" }, ["1010"]],
    ["no type, and detection off", { autoTypeDetect: false }, ["1010"]],
    ["letters in the recipient", { to: "010abc" }, ["1011"]],
    ["a recipient of 7 digits", { to: "0100000" }, ["1011"]],
    ["a recipient of 12 digits", { to: "010000000012" }, ["1011"]],
    ["one bad recipient of several", { to: ["01000000001", "1"] }, ["1011"]],
    ["a recipient of 12 digits abroad", { to: "010000000012", country: "1" }, []],
    ["a country that is no number", { country: "KR" }, ["1011"]],
    ["a sender with letters", { from: "02-abc" }, ["1011"]],
    ["an unknown type", { type: "PIGEON" }, ["1025"]],
    ["a type that is not charged", { type: "VOICE" }, ["1025"]],
    ["a type in lower case is known", { type: "lms" }, []],
    ["half a character", { text: "a\uD800b" }, ["1027"]],
    ["a control character", { text: "a\u0007b" }, ["1028"]],
    ["tab and line breaks are printable", { text: "a\tb\r\nc" }, []],
    ["a control character in the subject", { subject: "a\u0000" }, ["1028"]],
    ["an SMS with a subject", { type: "SMS", subject: "x" }, ["1013"]],
    ["an empty subject is none", { type: "SMS", subject: "" }, []],
    ["a subject of 40 bytes", { subject: "가".repeat(20) }, []],
    ["a subject of 41 bytes", { subject: `${"가".repeat(20)}a` }, ["1014"]],
    ["a custom field that is no text", { customFields: { a: 1 } }, ["1032"]],
    ["a custom field with a name of 31", { customFields: { ["k".repeat(31)]: "" } }, ["1032"]],
    ["a custom field with a value of 101", { customFields: { a: "v".repeat(101) } }, ["1032"]],
    ["custom fields at their limits", { customFields: { ["k".repeat(30)]: "v".repeat(100) } }, []],
    ["Kakao options on an SMS", { type: "SMS", ...kakao({ pfId: "P" }) }, ["1033"]],
    [
      "Kakao options that say nothing",
      { type: "SMS", ...kakao({ disableSms: false, buttons: [] }) },
      [],
    ],
    ["an MMS without a picture", { type: "MMS" }, ["1010"]],
    [
      "a friend-talk of 1,001 characters",
      { text: "a".repeat(1001), ...kakao({ pfId: "P" }) },
      ["1031"],
    ],
    [
      "a picture friend-talk of 401 characters",
      { text: "a".repeat(401), ...kakao({ pfId: "P", imageId: "I" }) },
      ["1031"],
    ],
    ["a picture friend-talk without a picture", { type: "CTI", ...kakao({ pfId: "P" }) }, ["1051"]],
    ["an alimtalk of 1,000 characters fits", alimtalk(1000), []],
    ["an alimtalk of 1,001 characters", alimtalk(1001), ["1031"]],
    ["an alimtalk without a channel", kakao({ templateId: "T" }), ["1041"]],
    ["an alimtalk without a template", { type: "ATA", ...kakao({ pfId: "P" }) }, ["1042"]],
    ["an alimtalk without a text", { text: "", ...kakao({ pfId: "P", templateId: "T" }) }, []],
    ["an LMS abroad", { country: "1", text: "a".repeat(91) }, ["1058"]],
    ["an SMS abroad", { country: "1" }, []],
    ["a good button", friendTalk({ linkMo: link }), []],
    ["a button with a variable for address", friendTalk({ linkMo: "#{url}" }), []],
    ["a button of an unknown kind", friendTalk({ buttonType: "XX" }), ["1044"]],
    ["a button without a name", friendTalk({ buttonName: "", linkMo: link }), ["1044"]],
    ["a web button without an address", friendTalk({}), ["1045"]],
    ["a web button with a bad address", friendTalk({ linkMo: "example" }), ["1045"]],
    [
      "an app button with one address",
      friendTalk({ buttonType: "AL", linkAnd: "app://x" }),
      ["1045"],
    ],
    ["an app button", friendTalk({ buttonType: "AL", linkAnd: "app://x", linkIos: "app://x" }), []],
    ["a button address of 101", friendTalk({ linkMo: link.padEnd(101, "x") }), ["1048"]],
    ["a button name of 15", friendTalk({ buttonName: "n".repeat(15), linkMo: link }), ["1049"]],
    ["a tracking button in friend-talk", friendTalk({ buttonType: "DS" }), ["1053"]],
    [
      "six buttons",
      kakao({ pfId: "P", buttons: Array(6).fill({ buttonName: "b", buttonType: "BK" }) }),
      ["1050"],
    ],
  ])("%s", (_, message, expected) => {
    expect(codes(message)).toEqual(expected);
  });

  test("1029 only under strict, with the place of the character", () => {
    const message = { ...good, text: "안녕 똠방" };
    expect(checkMessage(message)).toEqual([]);
    expect(checkMessage(message, { strict: true })).toMatchObject([
      { code: "1029", field: "text", at: 3, character: "똠" },
    ]);
  });

  test("what was typed is quoted", () => {
    expect(checkMessage({ ...good, to: "010abc" })[0]?.text).toContain('"010abc"');
  });
});

describe("the order of the checks is the service's", () => {
  /** Breaks everything at once; each problem is then mended in turn. */
  test("every problem is found, in that order", () => {
    const message: MessageInput = {
      to: "1",
      from: "0200000000",
      text: `\u0007${"가".repeat(46)}`,
      type: "SMS",
      subject: "s",
      country: "1",
      customFields: { a: 1 },
      kakaoOptions: { pfId: "P", buttons: [{ buttonName: "", buttonType: "WL" }] },
    };
    expect(checkMessage(message).map(({ code }) => code)).toEqual([
      "1011",
      "1028",
      "1013",
      "1031",
      "1032",
      "1033",
      "1044",
    ]);
    expect(firstProblem(message, registrationChecks({}))?.code).toBe("1011");
  });

  test("what only the service knows stands between: image, template, buttons, sender, route, recipient, duplicate", () => {
    const says =
      (code: string): Check =>
      () => ({ code, text: code });
    const server = {
      image: says("1034"),
      template: says("1043"),
      templateButtons: says("1052"),
      sender: says("1062"),
      route: says("1058"),
      recipient: says("1061"),
      duplicate: says("1026"),
    };
    const message = { ...good, country: "1", ...friendTalk({ buttonType: "XX" }) };
    expect(checkMessage(message, { server }).map(({ code }) => code)).toEqual([
      "1034",
      "1043",
      "1044",
      "1052",
      "1062",
      "1058",
      "1058",
      "1061",
      "1026",
    ]);
  });

  test("the first of all problems is the one that stops, for any message", () => {
    const anything: fc.Arbitrary<MessageInput> = fc.record(
      {
        to: fc.constantFrom("", "1", "01000000001"),
        text: fc.constantFrom("", "a", "\u0000", "가".repeat(1001)),
        type: fc.constantFrom("SMS", "MMS", "ATA", "X"),
        subject: fc.string({ maxLength: 50 }),
        country: fc.constantFrom("82", "1", "x"),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anything, (message) => {
        const whole = { ...good, ...message };
        expect(firstProblem(whole, registrationChecks({}))).toEqual(checkMessage(whole)[0]);
      }),
    );
  });
});
