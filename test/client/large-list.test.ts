/** A large page is read row by row, and says what it would say as one value. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { largeList } from "../../src/client/pages.ts";
import { asRecord, readJson } from "../../src/json/read-json.ts";

const page = { by: "key", items: "messageList" } as const;
const read = (text: string) => {
  const list = largeList(page, Buffer.from(text), 0);
  return list && { reply: list.reply, entries: [...list.entries()] };
};

const ids = fc.string().filter((id) => !/^\d+$/.test(id) && id !== "__proto__");
const indent = fc.constantFrom(0, 2);

test("its rows are those of the whole, in their order, whatever is in them", () => {
  const keyed = fc.dictionary(ids, fc.jsonValue(), { noNullPrototype: true });
  fc.assert(
    fc.property(keyed, fc.jsonValue(), indent, (messageList, other, spaces) => {
      const text = JSON.stringify({ other, messageList, nextKey: "k" }, null, spaces);
      const entries = Object.entries(asRecord(asRecord(readJson(Buffer.from(text))).messageList));
      const first = Object.fromEntries(entries.slice(0, 1));
      const reply = JSON.stringify({ other, messageList: first, nextKey: "k" });
      expect(read(text)).toEqual({ reply: readJson(Buffer.from(reply)), entries });
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), indent, (messageList, spaces) => {
      const text = JSON.stringify({ messageList }, null, spaces);
      const rows = asRecord(readJson(Buffer.from(text))).messageList;
      const entries = Array.isArray(rows) ? rows.map((it: unknown) => [undefined, it]) : [];
      const [first] = entries.map(([, row]) => [row]);
      expect(read(text)).toEqual({ reply: { messageList: first ?? [] }, entries });
    }),
  );
});

test.each([
  '{"messageList":[1,]}',
  '{"messageList":[1 2]}',
  '{"messageList":[1',
  '{"messageList":{"a":}}',
  '{"messageList":{"a" 1}}',
  '{"messageList":{a:1}}',
  '{"messageList":[]} {}',
  '{"messageList":[tru]}',
  '{"messageList":[],"messageList":[1]}',
  '{"messageList":7}',
  "{}",
  "[]",
  "",
])("%s is left to the reader of whole answers", (text) => {
  expect(read(text)).toBeUndefined();
});
