/** What dist keeps in files of its own is found where the program asks for it. */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { readSheet } from "read-excel-file/node";
import { expect, test } from "vitest";
import { freshFolder, program } from "./program.ts";

const msg = program();

test("the sandbox writes a spreadsheet, and send-many reads one and a list in an old encoding", async () => {
  const [sheet, list] = [join(msg.folder, "messages.xlsx"), join(msg.folder, "list.csv")];
  writeFileSync(list, iconv.encode("to,이름\n01000000001,김민수\n", "cp949"));
  const line = ["send-many", list, ..."--from 0200000000 --text #{이름}님 --sandbox -y".split(" ")];
  const sent = await msg(line);
  expect(sent.code, sent.err).toBe(0);
  const texts = await msg(["message", "list", "--sandbox", "--fields", "text", "-o", "tsv"]);
  expect(texts.out).toContain("김민수님");

  const written = await msg(["message", "export", sheet, "--sandbox"]);
  expect(written.code, written.err).toBe(0);
  expect(await readSheet(sheet)).toHaveLength(2);

  const again = ["send-many", sheet, "--from", "0200000000", "--text", "#{reason}", "--sandbox"];
  const planned = await msg([...again, "-n", "--json"]);
  expect(planned.code, planned.err).toBe(0);
});

/** Reports each folder that is flushed to the disk. */
const flushes = `
const fs = require("node:fs");
const { fsyncSync } = fs;
fs.fsyncSync = (descriptor) => {
  const found = fs.fstatSync(descriptor);
  if (found.isDirectory()) fs.writeSync(2, "flushed " + found.ino + "\\n");
  return fsyncSync(descriptor);
};`;

test("the name of a saved file is flushed to the disk", async () => {
  const [folder, preload] = [freshFolder(), join(msg.folder, "preload.cjs")];
  writeFileSync(preload, flushes);
  const env = { NODE_OPTIONS: `--require ${preload}` };
  const line = ["group", "export", join(folder, "a.xlsx"), "--sandbox"];
  const { code, err } = await msg(line, { env });
  expect(code, err).toBe(0);
  expect(err).toContain(`flushed ${statSync(folder).ino}\n`);
});
