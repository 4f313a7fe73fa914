import { describe, expect, test } from "vitest";
import { isExcluded, readNumbers } from "../../../src/send/messages/number-list.ts";
import { bytesOf, errorOf } from "../source.ts";

const read = (content: string, fixLeadingZero?: boolean) =>
  readNumbers(bytesOf(content), "list", fixLeadingZero);

describe("a list of excluded numbers", () => {
  test("names a recipient however it is written", async () => {
    const list = await read("name,to\na,010-0000-0001\nb,+82 10 0000 0002\nc,82-10-0000-0003\n");
    for (const last of ["1", "2", "3"])
      expect(isExcluded(list, { to: `0100000000${last}` })).toBe(true);
    expect(isExcluded(list, { to: "01000000004" })).toBe(false);
  });

  test.each(["휴대폰", "전화번호", "수신번호", "phone", "mobile"])(
    "is read from its column %s",
    async (name) => {
      const list = await read(`고객번호,${name}\n12345678,010-0000-0001\n`);
      expect([...list]).toEqual(["01000000001"]);
    },
  );

  test("with two columns that may hold the numbers is refused", async () => {
    const error = await errorOf(() => read("휴대폰,전화번호\n01000000001,0200000000\n"));
    expect(error).toMatchObject({ exitCode: 2, code: "DuplicateColumn" });
    expect(error.message).toContain('"휴대폰" and "전화번호"');
  });

  test("may name numbers of other countries with a plus", async () => {
    const list = await read("+1 202-555-0100\n01000000001\n");
    expect(isExcluded(list, { to: "2025550100", country: "1" })).toBe(true);
    expect(isExcluded(list, { to: "2025550100", country: "81" })).toBe(false);
    const dialled = await read("00 1 202 555 0100\n00 82 10 0000 0001\n");
    expect([...dialled]).toEqual(["+12025550100", "01000000001"]);
    expect(isExcluded(list, { to: "01000000001", country: "82" })).toBe(true);
  });

  test("may name them with their country's code alone, as other programs write them", async () => {
    const list = await read("12025550100\n8613812345678\n");
    expect(isExcluded(list, { to: "2025550100", country: "1" })).toBe(true);
    expect(isExcluded(list, { to: "13812345678", country: "86" })).toBe(true);
    expect(isExcluded(list, { to: "2025550100", country: "81" })).toBe(false);
  });

  test.each(["+81 90 1234 5678", "+81 (0)90 1234 5678", "81 90 1234 5678", "090-1234-5678"])(
    "that says %s names a number of Japan with its zero and without",
    async (written) => {
      const list = await read(`${written}\n`);
      for (const to of ["9012345678", "09012345678"])
        expect(isExcluded(list, { to, country: "81" })).toBe(true);
      expect(isExcluded(list, { to: "9012345679", country: "81" })).toBe(false);
      expect(isExcluded(list, { to: "9012345678", country: "86" })).toBe(written.startsWith("0"));
    },
  );

  test("that lost its zeros is read with --fix-leading-zero, and refused without", async () => {
    expect(isExcluded(await read("1000000001\n", true), { to: "01000000001" })).toBe(true);
    const error = await errorOf(() => read("1000000001\n"));
    expect(error).toMatchObject({ exitCode: 2, code: "InvalidRows" });
    expect(error.message).toContain("--fix-leading-zero");
  });

  test.each(["+1 2025550100 +1 2025550101", "+1 202", "a", "1", "1234567"])(
    "with %s is refused",
    async (cell) => {
      expect(await errorOf(() => read(`01000000001\n${cell}\n`))).toMatchObject({ exitCode: 2 });
    },
  );
});
