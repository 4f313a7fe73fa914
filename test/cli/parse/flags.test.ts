import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { command } from "../../../src/cli/command.ts";
import { optionsOf, placeholder, readValues } from "../../../src/cli/parse/flags.ts";
import { parseLine } from "../../../src/cli/parse/parse-line.ts";
import {
  choice,
  date,
  flag,
  json,
  list,
  number,
  operators,
  pairs,
  phone,
  text,
} from "../../../src/contract/fields.ts";
import { MsgError } from "../../../src/errors.ts";
import { listByKey, registerCard, removeCard } from "../../contract/samples.ts";

const fields = {
  startDate: date("from when", "from"),
  dateCreated: operators(date("created"), "gte", "lt"),
  status: operators(text("status"), "eq", "in"),
  enabled: flag("on or off"),
  amount: number("how much"),
  counts: list(number("how many"), "how many of each"),
  kind: choice(["SMS", "LMS"], "type"),
  to: list(phone("number"), "numbers"),
  field: pairs("data"),
  options: json("options"),
  text: v.optional(text("text")),
};

const read = (typed: Record<string, string[]>) =>
  readValues(optionsOf(fields), typed, {
    now: new Date("2026-03-10T12:00:00Z"),
    timeZone: "Asia/Seoul",
    readText: async (path) => (path === "-" ? "from stdin\n" : `the file ${path}\n`),
  });

const problem = async (typed: Record<string, string[]>): Promise<MsgError> => {
  try {
    await read(typed);
  } catch (error) {
    if (error instanceof MsgError) return error;
  }
  throw new Error("accepted");
};

describe("values of flags", () => {
  test("each kind is read by its schema", async () => {
    expect(
      await read({
        startDate: ["2026-01-15"],
        dateCreated: ["gte:2026-01-01", "lt:2026-02-01T00:00:00Z"],
        status: ["in:A,B"],
        enabled: ["false"],
        amount: ["1,000"],
        kind: ["SMS"],
        to: ["010-1", "2"],
        field: ["a=b=c", "d="],
        options: ['{"x":[1]}'],
      }),
    ).toEqual({
      startDate: "2026-01-14T15:00:00.000Z",
      dateCreated: { gte: "2025-12-31T15:00:00.000Z", lt: "2026-02-01T00:00:00.000Z" },
      status: { in: ["A", "B"] },
      enabled: false,
      amount: 1000,
      kind: "SMS",
      to: ["010-1", "2"],
      field: { a: "b=c", d: "" },
      options: { x: [1] },
    });
  });

  test("a day that is filtered for is all of it; an instant is itself", async () => {
    const ranges = { at: operators(date("at"), "eq", "gte", "lte") };
    const reading = { now: new Date(), timeZone: "Asia/Seoul", readText: async () => "" };
    const of = (typed: Record<string, string[]>) => readValues(optionsOf(ranges), typed, reading);
    const day = { gte: "2026-01-14T15:00:00.000Z", lte: "2026-01-15T14:59:59.999Z" };
    expect(await of({ at: ["2026-01-15"] })).toEqual({ at: day });
    expect(await of({ at: ["eq:2026-01-15"] })).toEqual({ at: day });
    const instant = "2026-01-15T00:00:00.000Z";
    expect(await of({ at: ["2026-01-15 9:00"] })).toEqual({ at: instant });
  });

  test("a bare value of a field with operators means eq", async () => {
    expect(await read({ status: ["A"] })).toEqual({ status: "A" });
  });

  test("a day alone is included by gte and lte, and passed over by gt and lt", async () => {
    const ranges = { at: operators(date("at"), "gte", "lte", "gt", "lt") };
    const typed = { at: ["gte:2026-01-01", "lte:2026-01-31", "gt:2026-01-01", "lt:2026-01-31"] };
    const reading = { now: new Date(), timeZone: "UTC", readText: async () => "" };
    expect(await readValues(optionsOf(ranges), typed, reading)).toEqual({
      at: {
        gte: "2026-01-01T00:00:00.000Z",
        lte: "2026-01-31T23:59:59.999Z",
        gt: "2026-01-01T23:59:59.999Z",
        lt: "2026-01-31T00:00:00.000Z",
      },
    });
  });

  test("texts come from files, standard input, or begin with an @", async () => {
    expect(await read({ text: ["@notice.txt"] })).toEqual({ text: "the file notice.txt" });
    expect(await read({ text: ["-"] })).toEqual({ text: "from stdin" });
    expect(await read({ text: ["@@home"] })).toEqual({ text: "@home" });
  });

  test.each<[Record<string, string[]>, string]>([
    [{ startDate: ["soon"] }, "--since: 'soon' is not a date"],
    [{ dateCreated: ["like:x"] }, "--date-created: does not allow 'like:'; allowed: gte, lt"],
    [{ dateCreated: ["2026-01-01"] }, "--date-created: does not allow 'eq:'"],
    [
      { dateCreated: ["after:2026-01-01"] },
      "--date-created: has no operator 'after:'; allowed: gte, lt",
    ],
    [{ status: ["A", "B"] }, "--status: is given twice with 'eq:'; in:a,b takes any of several"],
    [{ dateCreated: ["lt:1d", "lt:2d"] }, "--date-created: is given twice with 'lt:'"],
    [{ amount: ["many"] }, "--amount: 'many' is not a number"],
    [{ amount: ["9007199254740993"] }, "--amount: this number is too large"],
    [{ counts: ["500,300"] }, "--counts: '500,300' may be one number or several"],
    [{ kind: ["MMS"] }, "--kind: takes SMS|LMS, got 'MMS'"],
    [{ field: ["novalue"] }, "--field: takes key=value, got 'novalue'"],
    [{ options: ["{"] }, "--options: is not JSON: line 1, column 2"],
    [{ options: ['{"a":1,"a":2}'] }, "--options: is not JSON: line 1, column 8: a name is given"],
    [{ enabled: ["yes"] }, "--enabled: takes true or false, got 'yes'"],
  ])("%j is refused", async (typed, message) => {
    expect((await problem(typed)).message).toContain(message);
  });

  test("all problems are told at once", async () => {
    const error = await problem({ amount: ["x"], kind: ["y"] });
    expect(error.details.map((it) => it.field)).toEqual(["--amount", "--kind"]);
    expect(error.exitCode).toBe(2);
  });

  test("help names what a flag takes", () => {
    const options = optionsOf(fields);
    expect(options.map((it) => `${it.name} ${placeholder(it.schema)}`)).toContain("since date");
    expect(placeholder(fields.kind)).toBe("SMS|LMS");
  });
});

describe("the words of a command line", () => {
  const withdrawals = command({ endpoint: listByKey, columns: ["withdrawId"], examples: [] });
  const remove = command({
    endpoint: removeCard,
    args: { paymentId: text("the card") },
    columns: ["paymentId"],
    examples: [],
  });
  const add = command({
    endpoint: registerCard,
    flags: { strict: flag("strictly") },
    columns: ["paymentId"],
    examples: [],
  });

  test("aliases, repetition and paging", () => {
    const typed = parseLine(
      "payment withdraw list",
      withdrawals,
      "--start-date 2026-01-01 --kind a --kind=b --limit 5 --all".split(" "),
    );
    expect(typed.flags).toEqual({
      startDate: ["2026-01-01"],
      kind: ["a", "b"],
      limit: ["5"],
      all: ["true"],
    });
  });

  test.each([
    [["--strict"], "true"],
    [["--no-strict"], "false"],
    [["--strict=false"], "false"],
    [["--strict", "false"], "false"],
  ])("%j switches", (words, value) => {
    expect(parseLine("payment add", add, words).flags.strict).toEqual([value]);
  });

  test("a switch never swallows a positional", () => {
    const typed = parseLine("payment remove", remove, ["--yes", "310"]);
    expect(typed.args.paymentId).toEqual(["310"]);
    expect(typed.globals.yes).toBe(true);
  });

  test("C07 a secret is no flag, and the message does not repeat its value", () => {
    for (const words of [
      ["--card-number", "4000111122223333"],
      ["--card-number=4000111122223333"],
    ]) {
      const parse = () => parseLine("payment add", add, words);
      expect(parse).toThrow("msg payment add has no flag --card-number");
      expect(parse).not.toThrow("4000");
    }
  });

  test("a flag with a typing error is answered with the right one", () => {
    expect(() => parseLine("payment add", add, ["--discription", "x"])).toThrow(
      "did you mean '--description'?",
    );
    expect(() => parseLine("payment add", add, ["--jsn"])).toThrow("did you mean '--json'?");
    const ofTwoLetters = () => parseLine("payment add", add, ["--to", "01000000001"]);
    expect(ofTwoLetters).toThrow(/^msg payment add has no flag --to$/);
  });

  test("values may begin with a dash", () => {
    expect(parseLine("payment add", add, ["--description", "-5 %"]).flags.description).toEqual([
      "-5 %",
    ]);
  });

  test("too many words are refused", () => {
    expect(() => parseLine("payment remove", remove, ["1", "2"])).toThrow(
      "does not take the word '2'",
    );
  });
});
