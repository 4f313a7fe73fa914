/** States in the language of the operator, and the same for programs in both languages. */
import { expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

const list = "template list --fields templateId,biz --sandbox";

test("a table says states in Korean and keeps their colours", async () => {
  const at = shell();
  const korean = (await at(`${list} --lang ko`, { tty: 80 })).out;
  const english = (await at(`${list} --lang en`, { tty: 80 })).out;
  for (const [word, shown] of [
    ["APPROVED", "승인됨"],
    ["REJECTED", "반려됨"],
    ["PENDING", "대기 중"],
  ] as const) {
    const colour = english.slice(0, english.indexOf(word)).slice(-5);
    expect(colour).toContain("\u001b[3");
    expect(korean).toContain(`${colour}${shown}`);
    expect(korean).not.toContain(word);
  }
});

test.each(["json", "jsonl", "tsv", "csv"])(
  "-o %s is the same in both languages",
  async (format) => {
    const at = shell();
    const [korean, english] = [
      await at(`${list} -o ${format} --lang ko`),
      await at(`${list} -o ${format} --lang en`),
    ];
    expect(english.out).toContain("APPROVED");
    expect(korean.out).toBe(english.out);
  },
);
