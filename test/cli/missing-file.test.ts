/** How a file that cannot be read is named. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";

const msg = shell();

test.each([
  ["send-many none.csv --sandbox", '"none.csv"', ""],
  ["send-many - --exclude  --sandbox", '""', "  --exclude\n"],
  [
    "send --to 01000000001 --from 0200000000 --text @none.txt --sandbox",
    '"none.txt"',
    "  --text\n",
  ],
  ["payment add --input none.json --sandbox", '"none.json"', "  --input\n"],
])("a file that does not exist is named once, with its flag: %s", async (line, file, flag) => {
  const { code, err } = await msg(line.split(" "), { stdin: "to,text\n01000000001,x\n" });
  expect([code, err]).toEqual([2, `error: ${file} does not exist\n${flag}  check the path\n`]);
});
