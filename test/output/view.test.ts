/** Flags and the terminal decide how results are shown. */
import { expect, test } from "vitest";
import { printNotice } from "../../src/output/out.ts";
import { shell } from "../support/msg.ts";
import { outTo, sink, viewOf } from "./sink.ts";

const msg = shell();
const list = async (flags = "", tty?: number): Promise<string> => {
  const { out } = await msg(`sender list --sandbox ${flags}`, tty === undefined ? {} : { tty });
  return out.split("\n")[0] ?? "";
};

test("a terminal gets a table, a pipe TSV without a header", async () => {
  expect(await list("", 80)).toMatch(/PHONE NUMBER {2,}STATUS/);
  expect(await list()).toMatch(/^0\d+\tACTIVE\t/);
});

test("a format that was chosen has a header unless --no-header", async () => {
  const headers = { tsv: /^phoneNumber\t/, csv: /^phoneNumber,/, table: /^PHONE NUMBER/ };
  for (const [format, header] of Object.entries(headers)) {
    expect(await list(`-o ${format}`)).toMatch(header);
    expect(await list(`-o ${format} --no-header`)).toMatch(/^0\d/);
  }
  expect(await list("--no-header", 80)).toMatch(/^0\d/);
});

test("--fields is a list of names; without a name it is an empty one", async () => {
  const named = ["sender", "list", "--sandbox", "-o", "csv", "--fields"];
  const { out } = await msg([...named, "status, phoneNumber,,method"]);
  expect(out).toMatch(/^status,phoneNumber,method\n/);
  const { code, err } = await msg([...named, " ,"]);
  expect(code).toBe(2);
  expect(err).toContain("--fields names no field");
});

test("a note is one safe line, and --quiet silences it", async () => {
  const into = sink();
  await printNotice(outTo(into), viewOf(), "no results\u001b[2J");
  await printNotice(outTo(into), viewOf({ quiet: true }), "silent");
  expect(into.text()).toBe("no results\\x1b[2J\n");
});
