/** Sentences on a narrow terminal: broken between words, and never inside a command. */
import { expect, test } from "vitest";
import { wrapSentence } from "../../../src/output/text/width.ts";

const id = "20260105-180000000-abcdef";

test.each([
  [
    `scheduled for 2026-01-06 18:00:00 KST: msg run cancel ${id} stops it before then, msg run reconcile ${id} checks whether it is still scheduled`,
    [
      "scheduled for 2026-01-06 18:00:00 KST:",
      `msg run cancel ${id} stops it before`,
      `then, msg run reconcile ${id} checks`,
      "whether it is still scheduled",
    ],
  ],
  [
    `1 refused: msg run export ${id} --status refused says why, msg send-many --retry-refused ${id} resends them`,
    [
      "1 refused:",
      `msg run export ${id} --status refused`,
      "says why,",
      `msg send-many --retry-refused ${id}`,
      "resends them",
    ],
  ],
  [
    `2026-01-06 18:00:00 KST 발송 예약. 그 전에 취소: msg run cancel ${id}; 예약 상태 확인: msg run reconcile ${id}`,
    [
      "2026-01-06 18:00:00 KST 발송 예약. 그 전에 취소:",
      `msg run cancel ${id}; 예약 상태 확인:`,
      `msg run reconcile ${id}`,
    ],
  ],
  [
    "nothing was sent: msg -p work run show /july/june.msgplan shows the plan",
    ["nothing was sent: msg -p work run show /july/june.msgplan", "shows the plan"],
  ],
  [
    "the same without questions: msg send --to 01000000001 --text 'it'\\''s ready, 민지님' --from 0200000000 sends it",
    [
      "the same without questions:",
      "msg send --to 01000000001 --text 'it'\\''s ready, 민지님' --from 0200000000",
      "sends it",
    ],
  ],
  [
    "cost      38 won, more if fallback messages replace some of the messages",
    ["cost      38 won, more if fallback messages replace some of", "          the messages"],
  ],
])("%s", (text, lines) => {
  expect(wrapSentence(text, 60).split("\n")).toEqual(lines);
  expect(wrapSentence(text, undefined)).toBe(text);
});
