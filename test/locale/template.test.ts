import { expect, test } from "vitest";
import { fillSentence } from "../../src/locale/locale.ts";

test.each([
  ["{0}이(가) 없습니다", "템플릿", "템플릿이 없습니다"],
  ["{0}이(가) 없습니다", "채널 코드", "채널 코드가 없습니다"],
  ["'{0}'은(는) 없습니다", "list.csv", "'list.csv'는 없습니다"],
  ["{0}을(를) 쓰세요", "--from", "--from을 쓰세요"],
  ["{0}을(를) 쓰세요", "--sample", "--sample을 쓰세요"],
  ["{0}은(는) 쓸 수 없습니다", "--at", "--at은 쓸 수 없습니다"],
  ["{0}을(를) 쓰세요", "--lang=e", "--lang=e를 쓰세요"],
  ["{0}을(를) 쓰세요", "--all", "--all을 쓰세요"],
  ["{0}으로(로) 보냈습니다", "01000000001", "01000000001로 보냈습니다"],
  ["{0}으로(로) 보냈습니다", "01000000003", "01000000003으로 보냈습니다"],
  ["{0}으로(로) 보냈습니다", "서울", "서울로 보냈습니다"],
  ["{0}과(와) {1}", "잔액", "잔액과 x"],
  ["{0}.(;) {1}", "보내지 않았습니다", "보내지 않았습니다. x"],
  ["{0}.(;) {1}", "아직 없습니다(연결 끊김입니다)", "아직 없습니다(연결 끊김입니다). x"],
  ["{0}.(;) {1}", "확인하세요: msg doctor", "확인하세요: msg doctor; x"],
  ["{0}와 {1}", "포인트", "포인트와 x"],
])("%s with %s", (template, value, expected) => {
  expect(fillSentence(template, [value, "x"])).toBe(expected);
});

test("values stand where the sentence wants them, and are never read as a template", () => {
  expect(fillSentence("{1}건 중 {0}건", [3, "{0}"])).toBe("{0}건 중 3건");
  expect(fillSentence("{0} {0}", ["$&"])).toBe("$& $&");
});
