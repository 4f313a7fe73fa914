import { describe, expect, test } from "vitest";
import { type MessageInput, messageTypes, typeKey } from "../../src/contract/message-records.ts";
import { detectType, isMessageType, typeLimits } from "../../src/message/type.ts";

describe("the type of a message follows from its content", () => {
  test.each<[MessageInput, string]>([
    [{ text: "가".repeat(45) }, "SMS"],
    [{ text: "가".repeat(46) }, "LMS"],
    [{ text: "a".repeat(90) }, "SMS"],
    [{ text: "a".repeat(91) }, "LMS"],
    [{}, "SMS"],
    [{ text: "a", subject: "s" }, "LMS"],
    [{ text: "a", subject: "" }, "SMS"],
    [{ text: "a", subject: "s", imageId: "I" }, "MMS"],
    [{ text: "a", kakaoOptions: {} }, "SMS"],
    [{ imageId: "I", kakaoOptions: { pfId: "P" } }, "CTA"],
    [{ kakaoOptions: { pfId: "P", imageId: "I" } }, "CTI"],
    [{ kakaoOptions: { pfId: "P", imageId: "I", templateId: "T" } }, "ATA"],
    [{ kakaoOptions: { pfId: "P", bms: {} } }, "BMS_FREE"],
    [{ naverOptions: {} }, "NSA"],
    [{ rcsOptions: { templateId: "T" } }, "RCS_TPL"],
    [{ rcsOptions: { mmsType: "M3" } }, "RCS_MMS"],
    [{ rcsOptions: {}, text: "a".repeat(91) }, "RCS_LMS"],
    [{ rcsOptions: {}, text: "a" }, "RCS_SMS"],
    [{ type: "lms", text: "a" }, "LMS"],
    [{ type: "SMS", text: "a".repeat(91) }, "SMS"],
  ])("%j is %s", (message, type) => {
    expect(detectType(message)).toBe(type);
  });
});

test("each of the eleven types has a limit and a key, no other type has", () => {
  expect(Object.keys(typeLimits)).toEqual([...messageTypes]);
  expect(messageTypes.every(isMessageType)).toBe(true);
  expect(["sms", "FAX", "BMS_FREE", ""].some(isMessageType)).toBe(false);
  expect(typeKey("RCS_SMS")).toBe("rcs_sms");
});
