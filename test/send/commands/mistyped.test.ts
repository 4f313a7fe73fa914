/** What operators mistype when they send: each mistake is named with the flag that mends it, and sends nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Options, shell } from "../../support/msg.ts";

const one = "send --sandbox --from 0200000000 --to 01000000001 --text hi";

/** What a command said that must not send; with what the service was asked to do then. */
const refused = async (line: string | readonly string[], options: Options = {}) => {
  const at = shell();
  const { code, err } = await at(line, options);
  const asked = await at("sandbox requests --sandbox --fields method --all");
  return { code, err, writes: asked.out.split("\n").filter((it) => it === "POST").length };
};

describe("msg send", () => {
  test.each(["", " "])(
    "a key of --once that is empty (%j) is a variable that was not set: 2",
    async (key) => {
      const { code, err, writes } = await refused([...one.split(" "), "--once", key]);
      expect([code, writes]).toEqual([2, 0]);
      expect(err).toMatch(/^error: the key of --once is empty\n.*nothing was sent/);
    },
  );

  test("an --image that is empty is an upload that failed: the text does not go out alone", async () => {
    const { code, err, writes } = await refused([...one.split(" "), "--image", ""]);
    expect([code, writes, err]).toEqual([2, 0, expect.stringContaining("--image: there is no")]);
  });

  test.each([
    ["--type MMS", "--image: an MMS needs imageId"],
    ["--once k --once-within 24h -n", "--once-within takes 25h to 183d"],
    ["--once-within 30d", "--once-within needs --once"],
    ["--within 5s", "--within says how long --wait waits"],
    ["--subject", "--subject needs a value"],
    ["--max-cost -1", "--max-cost: must be 0 or more"],
    ["--type ATA", "--kakao pfId: ATA needs a channel"],
    [`--field ${"k".repeat(31)}=v`, `--field: custom field "${"k".repeat(31)}"`],
  ])("%s: the flag to mend is one that there is", async (flags, said) => {
    const { code, err, writes } = await refused(`${one} ${flags}`);
    expect([code, writes], err).toEqual([2, 0]);
    expect(err).toContain(`error: ${said}`);
  });
});

const many = "send-many - --sandbox --from 0200000000 --text hi";
const rows = "to\n01000000001\n01000000002\n";

describe("msg send-many", () => {
  test.each([
    ["send-many - --sandbox --text hi", "2 of 2 rows", "set it for every row with --from"],
    ["send-many - --sandbox --from 0200000000", "2 of 2 rows", "set it for every row with --text"],
    [`${many} --type XX`, '"XX" is not a message type', "fix --type"],
    [`${many} --from abc`, '"abc" is not a phone number', "fix --from"],
    [`${many} --max-cost -1`, "--max-cost: must be 0 or more", ""],
    [`${many} --max-recipients -1`, "--max-recipients: must be 0 or more", ""],
    [`${many} --max-recipients 1.5`, "--max-recipients: takes a whole number", ""],
    [`${many} --within 5s`, "--within says how long --wait waits", "give both"],
    [`${many} --direct --group-size 5`, "--direct and --group-size exclude each other", "--chunk"],
    [`${many} --once a --direct`, "--direct and --once exclude each other", "the key is kept"],
    [`${many} --once a --no-tag`, "--no-tag and --once exclude each other", "the key is kept"],
    [`${many} --once a --again`, "--again and --once exclude each other", "another key"],
    [`${many} --once a --once-within 24h`, "--once-within takes 25h to 183d", ""],
    [`${many} --once-within 30d`, "--once-within needs --once", ""],
    [`${many} --at +200d`, "months ahead; the service's clock shows 20", "name an earlier time"],
    [`${many} --at 10m`, "is in the past", "+24h is tomorrow, 24h is yesterday"],
    [`${many} --exclude -`, "standard input can be read only once", "name a file"],
    ["send-many - --sandbox --from 0200000000 --text -", "can be read only once", "@file"],
    ["send-many - --sandbox --from 0200000000 --text", "--text needs a value", "--help"],
    ["send-many --sandbox --from 0200000000 --text -- -", "--text needs a value", "--help"],
    [`${many} --var`, "--var needs a value", "--help"],
    [`${many} --no-csv-header`, "row 1, line 1, column 1: ", "--on-invalid skip"],
  ])("%s: %s, and what mends it: %s", async (line, said, mended) => {
    const { code, err, writes } = await refused(line, { stdin: rows });
    expect([code, writes], err).toEqual([2, 0]);
    expect(err).toContain(said);
    expect(err).toContain(mended);
  });

  test("a size that is out of bounds is found before the source is read", async () => {
    const { err } = await refused(`send-many not-there.csv --sandbox --text x --group-size 0`);
    expect(err).toContain("--group-size takes a whole number from 1 to 1000000");
  });

  test("one row that is wrong among others is mended in the source, whatever the flags say", async () => {
    const { err } = await refused(many, { stdin: "to,type\n01000000001,\n01000000002,XX\n" });
    expect(err).toContain("1 of 2 rows cannot be sent");
    expect(err).toContain("nothing was sent; fix the rows");
  });

  test.each(["", " --on-invalid skip"])(
    "what every row lacks is a flag's, beside what single rows lack%s",
    async (flags) => {
      const line = [
        "send-many",
        "-",
        "--sandbox",
        "--text",
        "#{name}",
        ...flags.split(" ").slice(1),
      ];
      const { code, err, writes } = await refused(line, { stdin: "to,name\n01000000001,a\n12,\n" });
      expect([code, writes], err).toEqual([2, 0]);
      expect(err).toContain("error: 2 of 2 rows cannot be sent\n");
      expect(err).toContain("nothing was sent; set it for every row with --from\n");
    },
  );

  test("what every row of a long list lacks is a flag's, too, where one row lacks less", async () => {
    const stdin = ["to", "01000000001", ...Array.from({ length: 600 }, () => "1000000001")].join(
      "\n",
    );
    const { err } = await refused("send-many - --sandbox --text hi", { stdin });
    expect(err).toContain("nothing was sent; set it for every row with --from\n");
  });

  test("where all rows are wrong, there is no advice to skip them", async () => {
    const { err } = await refused(`${many} --on-invalid skip`, { stdin: "to\n12\n13\n" });
    expect(err).toMatch(/2 of 2 rows cannot be sent\n(.*\n)+ {2}nothing was sent; fix the rows\n$/);
  });

  test.each([
    ['a,"b', 'close it, or write a quote that is text as ""'],
    ['a,b"c', "put the whole cell in quotes"],
    ['a,"b" ', "no space after the last"],
    ["a,b\r01000000001,c", "Windows or Unix line endings"],
  ])("a source that cannot be read on (%j) tells how it is mended", async (csv, mended) => {
    const { code, err } = await refused(many, { stdin: `to,name\n${csv}\n` });
    expect(code, err).toBe(2);
    expect(err).toContain(mended);
  });

  test("of many rows that are skipped ten are told, and how many more there are", async () => {
    const wrong = Array.from({ length: 12 }, (_, n) => `${n}\n`).join("");
    const { err } = await refused(`${many} --on-invalid skip --estimate`, {
      stdin: `to\n${wrong}01000000001\n`,
    });
    expect(err.match(/skipped row /g)).toHaveLength(10);
    expect(err).toContain("… and 2 more skipped rows\n");
  });

  test("a row that is wrong in two ways is one more row", async () => {
    const wrong = "x,y\n".repeat(12);
    const { err } = await refused(`${many} --on-invalid skip --estimate`, {
      stdin: `to,from\n01000000001,\n${wrong}`,
    });
    expect(err.match(/skipped row /g)).toHaveLength(10);
    expect(err).toContain("… and 7 more skipped rows\n");
  });

  test("an excluded number that lost its zero says so", async () => {
    const at = shell();
    const list = join(at.folder, "no.csv");
    writeFileSync(list, "to\n1012345678\n");
    const { code, err } = await at(`${many} --exclude ${list}`, { stdin: rows });
    expect([code, err]).toEqual([2, expect.stringContaining("write 01012345678")]);
  });

  test("--results names what is there, or its folder that is not: no word of folders of msg", async () => {
    const at = shell();
    const there = join(at.folder, "there.jsonl");
    writeFileSync(there, "mine\n");
    for (const [path, said] of [
      [there, "already exists; msg overwrites no file"],
      [join(at.folder, "no", "r.jsonl"), "is in a folder that does not exist"],
    ]) {
      const { code, err } = await at(`${many} --results ${path}`, { stdin: rows });
      expect(code, err).toBe(2);
      expect(err).toContain(`--results: '${path}' ${said}`);
      expect(err).not.toContain("MSG_STATE_DIR");
    }
    expect(readFileSync(there, "utf8")).toBe("mine\n");
  });
});
