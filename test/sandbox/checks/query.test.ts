import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  date,
  flag,
  list,
  number,
  operators,
  required,
  text,
} from "../../../src/contract/fields.ts";
import { readQuery } from "../../../src/sandbox/checks/query.ts";

const fields = {
  name: operators(text("name"), "like"),
  type: operators(text("type"), "eq", "in"),
  created: operators(date("created"), "gte", "lte", "gt", "lt"),
  startDate: date("since", "from"),
  endDate: date("until", "until"),
  limit: number("rows"),
  offset: number("rows to pass over"),
  open: flag("open"),
  qty: v.optional(list(number("quantity"), "quantities")),
};

const read = (query: string) => readQuery(query, fields);

describe("readQuery", () => {
  test("types come from the schema, and a value that does not fit stays a text", () => {
    expect(read("limit=5&open=true").values).toEqual({ limit: 5, open: true });
    expect(read("limit=abc&open=1").values).toEqual({ limit: "abc", open: "1" });
  });

  test.each([
    'type[in]=["SMS","LMS"]',
    "type%5Bin%5D=%5B%22SMS%22%2C%22LMS%22%5D",
    'type=["SMS","LMS"]',
    "type=SMS&type=LMS",
    "type[]=SMS&type[]=LMS",
    "type[0]=SMS&type[1]=LMS",
    "type=SMS,LMS",
    "type[in]=SMS,LMS",
  ])("a list is read in each of its spellings: %s", (query) => {
    expect(read(query)).toEqual({ values: { type: { in: ["SMS", "LMS"] } }, problems: [] });
  });

  test("one bare value is the value itself, also with eq spelled out", () => {
    expect(read("type=SMS").values).toEqual({ type: "SMS" });
    expect(read("type[eq]=SMS").values).toEqual({ type: "SMS" });
  });

  test.each(["qty=1&qty=2", "qty[]=1&qty[]=2", "qty[0]=1&qty[1]=2", "qty=[1,2]", "qty=1,2"])(
    "a list of numbers: %s",
    (query) => {
      expect(read(query).problems).toEqual([]);
      expect(read(query).values).toEqual({ qty: [1, 2] });
    },
  );

  test("several operators of one field are kept side by side", () => {
    expect(read("created[gte]=2026-01-01&created[lt]=2026-02-01").values).toEqual({
      created: { gte: "2025-12-31T15:00:00.000Z", lt: "2026-01-31T15:00:00.000Z" },
    });
  });

  test("a day is whole under gte and lte, and left out under gt and lt", () => {
    const bound = (operator: string) => read(`created[${operator}]=2026-01-15`).values.created;
    expect(bound("gte")).toEqual({ gte: "2026-01-14T15:00:00.000Z" });
    expect(bound("lt")).toEqual({ lt: "2026-01-14T15:00:00.000Z" });
    expect(bound("lte")).toEqual({ lte: "2026-01-15T14:59:59.999Z" });
    expect(bound("gt")).toEqual({ gt: "2026-01-15T14:59:59.999Z" });
  });

  test.each([
    ["name=x", "'name' is not allowed"],
    ["type[like]=x", "'type[like]' is not allowed"],
    ["startDate[gte]=2026-01-01", "'startDate[gte]' is not allowed"],
    ["type[__proto__]=x", "'type[__proto__]' is not allowed"],
    ["limit=1&limit=2", "'limit' is given more than once"],
    ["startDate=yesterday", "'startDate' must be an ISO 8601 time, not 'yesterday'"],
    ["startDate=2026-02-01&endDate=2026-01-01", "'endDate' must not be before 'startDate'"],
    ["type=%zz", "'type=%zz' is not percent-encoded"],
  ])("says what is wrong with %s", (query, problem) => {
    const { problems } = read(query);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  test("a range that ends in the year 10000 of UTC ends after its start", () => {
    const query = "startDate=2026-01-01T00:00:00Z&endDate=9999-12-31T23:59:59-10:00";
    expect(read(query).problems).toEqual([]);
  });

  test("unknown names and empty values count as left out", () => {
    expect(read("nobody=1&__proto__=2&constructor[eq]=3&type=&=4&&limit")).toEqual({
      values: {},
      problems: [],
    });
  });

  test("what must be given is missed", () => {
    const { problems } = readQuery("", { historyId: required(text("id")) });
    expect(problems).toEqual(["'historyId' is missing"]);
  });
});
