import { describe, expect, test } from "vitest";
import { explain, similarCodes } from "../../src/message/explain.ts";
import { isFailure, statusClass, statusCodes, statusMeaning } from "../../src/message/status.ts";

describe("status codes", () => {
  test("are 85, each with words and something to do", () => {
    expect(statusCodes.size).toBe(85);
    for (const status of statusCodes.values()) {
      expect(status.meaning).not.toBe("");
      expect(status.todo).not.toBe("");
    }
  });

  test("2000, 3000 and 4000 are charged and no failures, all others are failures and free", () => {
    const charged = [...statusCodes.values()].filter((it) => it.charged).map((it) => it.code);
    expect(charged).toEqual(["2000", "3000", "4000"]);
    expect([...statusCodes.keys()].filter((code) => !isFailure(code))).toEqual(charged);
  });

  test.each([
    ["1026", "refused at registration"],
    ["2000", "accepted"],
    ["2230", "refused by the platform"],
    ["3000", "at the carrier"],
    ["3104", "refused by the carrier"],
    ["4000", "delivered"],
    ["3999", "refused by the carrier"],
    ["TEST1000", "unknown"],
    ["constructor", "unknown"],
  ])("%s: %s", (code, expected) => {
    expect(statusClass(code)).toBe(expected);
  });

  test("that are not published are tolerated and are failures", () => {
    expect(statusMeaning("9999")).toContain("9999");
    expect(isFailure("9999")).toBe(true);
  });
});

describe("an explanation", () => {
  test("is given for status codes and error codes, upper and lower case alike", () => {
    expect(explain("1062")).toEqual({
      code: "1062",
      meaning: "sender number not registered",
      charged: false,
      todo: "register the sender number, or use another",
    });
    expect(explain("notenoughbalance")?.code).toBe("NotEnoughBalance");
    expect(explain(" INVALIDAPIKEY ")?.code).toBe("InvalidAPIKey");
  });

  test("leaves open whether a fault of the service was charged", () => {
    expect(explain("InternalServerError")?.charged).toBeNull();
  });

  test.each([
    ["10621", "1062"],
    ["NotEnoughBalanc", "NotEnoughBalance"],
    ["signature", "SignatureDoesNotMatch"],
    ["NotEnuffBalance", "NotEnoughBalance"],
  ])("of the unknown code %s is replaced by near ones", (code, near) => {
    expect(explain(code)).toBeUndefined();
    expect(similarCodes(code)).toContain(near);
  });

  test("of something else has no near ones", () => {
    expect(similarCodes("완전히 다른 것")).toEqual([]);
  });
});
