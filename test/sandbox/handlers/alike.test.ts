/** Calls whose messages are alike are answered a quick way: it must be told from the other by nothing. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { readAlike } from "../../../src/sandbox/checks/alike.ts";
import { replyOf } from "../told.ts";
import { openWorld, type World } from "../world.ts";
import { filledGroup } from "./group-world.ts";

const plain = { to: "01050000001", from: "0200000000", text: "안녕하세요" };

const usualText = fc.oneof(
  fc.integer({ min: 1, max: 91 }).map((count) => "a".repeat(count)),
  fc.integer({ min: 1, max: 46 }).map((count) => "가".repeat(count)),
  fc.constantFrom("안녕하세요", "hello, 세계", "é\u00a0¡", "}]}", "#{name}"),
);

interface Part {
  readonly to?: string;
  readonly text?: string;
  readonly customFields?: Readonly<Record<string, unknown>>;
}

const oddTexts = [
  ...["", 'a "b"', "a\\b", "a\nb", "\u0001", "\u007f", "\u0085", "\u009f", "😀", "\ud800"],
  ...["가".repeat(1000), "가".repeat(1001), "a".repeat(2000), "a".repeat(2001), "똠방각하", "},{"],
];
const oddNumbers = ["010-5000-0001", "01000003040", "01000001062", "0212345678", "", "x", "0105"];
const oddFields = [
  ...[{}, { run: "r1" }, { row: "1", run: "r1" }, { run: "r1", row: 1 }, { run: "r", row: "" }],
  ...[
    { run: "가".repeat(100), row: "1" },
    { run: "a".repeat(100), row: "a".repeat(101) },
  ],
  ...[{ run: 'r"1', row: "1" }, { ["k".repeat(31)]: "1" }, { run: "r1", row: "1", more: "2" }],
];

/** What a single message may have in place of the usual. */
const oddParts: readonly Part[] = [
  ...oddTexts.map((text) => ({ text })),
  ...oddNumbers.map((to) => ({ to })),
  ...oddFields.map((customFields) => ({ customFields })),
];

/** What the messages of a call share. */
const shapes = fc.record({
  from: fc.constantFrom("0200000000", "0200000000", "020-000-0000", "0299999999"),
  type: fc.constantFrom(undefined, undefined, undefined, "SMS", "LMS", "sms", "MMS"),
  isTypeFirst: fc.boolean(),
  hasFields: fc.boolean(),
  /** Numbers of two calls into a group may meet. */
  base: fc.integer({ min: 0, max: 60 }),
  change: fc.option(fc.record({ at: fc.nat(11), part: fc.constantFrom(...oddParts) })),
});

const callOf = fc
  .tuple(shapes, fc.array(usualText, { minLength: 1, maxLength: 12 }))
  .map(([{ from, type, isTypeFirst, hasFields, base, change }, texts]) =>
    texts.map((text, index) => ({
      ...(isTypeFirst && type && { type }),
      ...{ to: `010${50_000_000 + base + index}`, from, text },
      ...(hasFields && { customFields: { run: "r1", row: `${index}` } }),
      ...(!isTypeFirst && type && { type }),
      ...(change?.at === index && change.part),
    })),
  );

const add = async (world: World, groupId: string, body: unknown): Promise<unknown> => {
  const {
    status,
    body: answer,
    headers,
  } = await world.call("PUT", `/messages/v4/groups/${groupId}/messages`, body);
  // Its members come in the same order, too.
  return { status, answer: JSON.stringify(answer), headers };
};

const stateOf = (world: World, groupSeq: number): unknown => [
  world.rows(
    `SELECT * FROM batches b JOIN messages m ON m.seq BETWEEN firstSeq AND lastSeq
     WHERE groupSeq = ${groupSeq} ORDER BY seq`,
  ),
  world.rows(`SELECT * FROM groups WHERE seq = ${groupSeq}`),
  world.rows("SELECT * FROM counters ORDER BY name"),
];

describe("messages that are alike", () => {
  test("are answered and stored as by the whole way", async () => {
    const [quick, whole] = [await openWorld(), await openWorld()];
    const group = fc.record({ strict: fc.boolean(), allowDuplicates: fc.boolean() });
    let groupSeq = 0;
    await fc.assert(
      fc.asyncProperty(group, callOf, callOf, async (wish, ...calls) => {
        groupSeq += 1;
        const made = await quick.call("POST", "/messages/v4/groups", wish);
        await whole.call("POST", "/messages/v4/groups", wish);
        const { groupId } = replyOf(contract.createGroup, made);
        for (const messages of calls) {
          // A member that the contract does not know is passed over, and needs the whole way.
          const expected = await add(whole, groupId, { messages, other: 1 });
          expect(await add(quick, groupId, { messages })).toEqual(expected);
        }
        expect(stateOf(quick, groupSeq)).toEqual(stateOf(whole, groupSeq));
      }),
      { numRuns: 80 },
    );
  });

  test("are told apart by a single one that is not", async () => {
    const [quick, whole] = [await openWorld(), await openWorld()];
    const usual = (row: number) => ({
      ...{ ...plain, to: `0105000001${row}` },
      customFields: { run: "r1", row: `${row}` },
    });
    const again = { to: usual(0).to };
    for (const [index, part] of [...oddParts, again].entries()) {
      const groupId = await filledGroup(quick, []);
      await whole.call("POST", "/messages/v4/groups", {});
      const messages = [usual(0), { ...usual(1), ...part }, usual(2)];
      const expected = await add(whole, groupId, { messages, other: 1 });
      expect(await add(quick, groupId, { messages })).toEqual(expected);
      expect(stateOf(quick, index + 1)).toEqual(stateOf(whole, index + 1));
    }
  });

  test("are refused as by the whole way where the group takes none", async () => {
    const world = await openWorld();
    const messages = [plain];
    const sent = await filledGroup(world, messages);
    await world.call("POST", `/messages/v4/groups/${sent}/send`, {});
    for (const groupId of [sent, "G4V20260105180000ZZZZZZZZZZZZZZZ"]) {
      const expected = await add(world, groupId, { messages, other: 1 });
      expect(await add(world, groupId, { messages })).toEqual(expected);
    }
  });

  const read = (...messages: readonly unknown[]) =>
    readAlike(Buffer.from(JSON.stringify({ messages })));
  const fields = { run: "r1", row: "1" };

  test.each([
    ["a number and a text", [plain, { ...plain, to: "01050000002", text: "hello" }]],
    ["a field of their own", [1, 2].map((row) => ({ ...plain, customFields: { row: `${row}` } }))],
    ["nothing", [plain, plain]],
    ["a named type behind the text", [{ ...plain, customFields: fields, type: "LMS" }]],
  ])("differ in %s", (_, messages) => {
    expect(read(...messages)?.rows.count).toBe(messages.length);
  });

  test.each([
    ["one more member", [plain, { ...plain, subject: "hello" }]],
    ["another sender", [plain, { ...plain, from: "01012340000" }]],
    ["another type by its size", [plain, { ...plain, text: "a".repeat(91) }]],
    ["a number that says how it ends", [plain, { ...plain, to: "01000003040" }]],
    ["a quote in its text", [plain, { ...plain, text: 'say "hello"' }]],
    ["a character of four bytes", [plain, { ...plain, text: "😀" }]],
    ["several recipients", [plain, { ...plain, to: ["01050000002"] }]],
  ])("are not alike where one has %s", (_, messages) => {
    expect(read(...messages)).toBeUndefined();
  });

  test.each([
    ["blanks", '{"messages": [{"to":"01050000001","text":"a"}]}'],
    ["a name twice", '{"messages":[{"to":"01050000001","text":"a","text":"a"}]}'],
    ["an end that is missing", '{"messages":[{"to":"01050000001","text":"a"}]'],
    ["something behind its end", '{"messages":[{"to":"01050000001","text":"a"}]} '],
    ["a comma before its end", '{"messages":[{"to":"01050000001","text":"a"},]}'],
    ["no message", '{"messages":[]}'],
    ["another beginning", '{"message":{"to":"01050000001","text":"a"}}'],
  ])("are left to the schema in a body with %s", (_, body) => {
    expect(readAlike(Buffer.from(body))).toBeUndefined();
  });

  test("are left to the schema in a body that is no UTF-8", () => {
    const body = Buffer.from('{"messages":[{"to":"01050000001","text":"a\xff"}]}', "latin1");
    expect(readAlike(body)).toBeUndefined();
  });

  test("are left to the schema in a body that ends too early, wherever it does", () => {
    const fields = { customFields: { run: "r1" } };
    const body = Buffer.from(
      JSON.stringify({ messages: [1, 2].map(() => ({ ...plain, ...fields })) }),
    );
    expect(readAlike(body)?.rows.count).toBe(2);
    for (let size = 0; size < body.length; size += 1)
      expect(readAlike(body.subarray(0, size))).toBeUndefined();
  });
});
