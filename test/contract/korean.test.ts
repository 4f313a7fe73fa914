/** What the contract says of endpoints and fields, and the tables of codes, has its Korean. */
import type * as v from "valibot";
import { expect, test } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { bareOf, describe, itemOf, membersOf } from "../../src/contract/fields.ts";
import { contract } from "../../src/contract/index.ts";
import { controls } from "../../src/contract/sandbox.ts";
import { korean } from "../../src/locale/ko/korean.ts";
import { errorRows } from "../../src/message/errors-table.ts";
import { statusRows } from "../../src/message/status-table.ts";

const textsOf = (schema: v.GenericSchema): string[] => {
  const bare = bareOf(schema) ?? schema;
  const inner = [...Object.values(membersOf(bare)), itemOf(bare)].filter((it) => it !== undefined);
  return [describe(schema), ...inner.flatMap(textsOf)];
};

/** A word alone names an item of a list; a command is the same in every language. */
const isSentence = (text: string): boolean => text.includes(" ") && !text.startsWith("msg ");

test("every text of the contract and of the tables of codes has its Korean", () => {
  const declared = Object.values<Endpoint>({ ...contract, ...controls }).flatMap(
    ({ does, checkWith = "", query = {}, body }) => [
      does,
      checkWith,
      ...Object.values(query).flatMap(textsOf),
      ...(body ? textsOf(body) : []),
    ],
  );
  const tables = [...statusRows, ...errorRows].flatMap(([, meaning, todo]) => [meaning, todo]);
  const texts = [...declared, ...tables].filter(isSentence);
  expect(texts.length).toBeGreaterThan(500);
  expect(
    [...new Set(texts)].filter((text) => !korean.some((it) => Object.hasOwn(it, text))),
  ).toEqual([]);
});
