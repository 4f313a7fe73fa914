import { zipSync } from "fflate";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { decode } from "../../src/client/codec.ts";
import { getBalance, getQuote, getStatement, transferBalance } from "../../src/contract/cash.ts";
import { bytes } from "../../src/contract/fields.ts";
import { deleteGroup, readGroup, sendGroup } from "../../src/contract/groups.ts";
import {
  getChannel,
  listCategories,
  listTemplates,
  unlinkChannel,
} from "../../src/contract/kakao.ts";
import { exportMessages, listMessages } from "../../src/contract/messages.ts";
import { orderPayments } from "../../src/contract/payment.ts";
import { bodyAt } from "../../src/contract/storage.ts";
import { download, listByOffset, registerCard, transfer } from "../contract/samples.ts";

const answer = (
  body: string | Uint8Array,
  type = "application/json; charset=utf-8",
  status = 200,
) => ({
  status,
  headers: { "content-type": type },
  body: Buffer.from(body),
});

describe("replies", () => {
  test("an object, a bare array and a bare text are what they are", () => {
    expect(decode(registerCard, answer('{"paymentId":"1"}'))).toEqual({
      value: { paymentId: "1" },
    });
    expect(decode(listByOffset, answer("[]"))).toEqual({ value: [] });
    expect(decode(transfer, answer('"TR1"'))).toEqual({ value: "TR1" });
  });

  test("S13 unknown members, nulls, numbers as text and 0/1 pass as they are", () => {
    const body = '{"balance":"12","point":null,"autoRecharge":1,"lowBalanceAlert":null,"new":[{}]}';
    expect(decode(getBalance, answer(body))).toEqual({ value: JSON.parse(body) });
  });

  test("204 is no reply of a write with members that prove its execution", () => {
    for (const it of [registerCard, orderPayments, sendGroup, deleteGroup])
      expect(decode(it, answer("", "", 204)), it.path).toHaveProperty("fault");
    expect(decode(transfer, answer("", "", 204))).toEqual({ value: {} });
  });

  test("a record without any member is no reply of a write that names no proof either", () => {
    expect(decode(orderPayments, answer("{}"))).toHaveProperty("fault");
  });

  test.each([200, 204])("a record without any member is no reply of a read (%s)", (status) => {
    const body = status === 204 ? "" : '{"ok":true}';
    expect(decode(getBalance, answer(body, "application/json", status))).toEqual({
      fault: `the service answered ${status} without the members of a result`,
    });
  });

  test("a document stays bytes, whatever it looks like", () => {
    const body = Buffer.from('{"a":1}');
    expect(decode(download, answer(body))).toEqual({ value: body });
  });

  test("a document beside JSON is told apart by its type", () => {
    const either = { ...download, reply: v.union([bytes("xlsx"), v.object({ url: v.string() })]) };
    const body = Buffer.from('{"url":"u"}');
    expect(decode(either, answer(body))).toEqual({ value: { url: "u" } });
    expect(decode(either, answer(body, "application/vnd.ms-excel"))).toEqual({ value: body });
  });

  test("the words for what cannot be read name type and first characters", () => {
    expect(decode(getBalance, answer("<html>", "text/html"))).toEqual({
      fault: "the service answered 200 with text/html that cannot be read: <html>",
    });
    expect(decode(getBalance, answer(""))).toEqual({
      fault: "the service answered 200 with nothing",
    });
  });

  test.each(["1", "3600", "30, 30"])("what a cache kept for %s s is no reply", (age) => {
    const { headers, ...kept } = answer('{"balance":1,"point":0}');
    expect(decode(getBalance, { ...kept, headers: { ...headers, age } })).toEqual({
      fault: expect.stringMatching(
        /^a cache answered in the service's place, .* (1|3600|30) s old$/,
      ),
    });
  });

  test("what a cache has just fetched is the service's", () => {
    const { headers, ...kept } = answer('{"balance":1,"point":0}');
    expect(decode(getBalance, { ...kept, headers: { ...headers, age: "0" } })).toHaveProperty(
      "value",
    );
  });

  test("a cache may keep a file, which is asked for without credentials", () => {
    const kept = answer("%PDF", "application/pdf");
    const headers = { ...kept.headers, age: "3600" };
    expect(decode(bodyAt("/files/a.pdf"), { ...kept, headers })).toEqual({ value: kept.body });
  });

  const group = { groupId: "G4VA", status: "PENDING", count: {} };
  const read = (record: object) =>
    decode(readGroup, answer(JSON.stringify(record)), { params: { groupId: "G4VA" } });
  const listed = (rows: object, query = {}) =>
    decode(listMessages, answer(JSON.stringify({ messageList: rows })), { query });
  const another = { fault: "the answer is the one to another request: it is about G4VB" };

  test("a record of another id than was asked for is no reply, however its letters are written", () => {
    expect(read(group)).toHaveProperty("value");
    expect(read({ ...group, groupId: "g4va" })).toHaveProperty("value");
    expect(read({ ...group, groupId: "G4VB" })).toEqual(another);
  });

  test("a list of another group's messages is no reply", () => {
    const rows = { M1: { groupId: "G4VB" }, M2: { groupId: "G4VB" } };
    expect(listed(rows, { groupId: "G4VA" })).toEqual(another);
    expect(listed(rows, { groupId: "G4VB" })).toHaveProperty("value");
    expect(listed(rows)).toHaveProperty("value");
    expect(listed({}, { groupId: "G4VA" })).toHaveProperty("value");
  });

  const without = { fault: "the service answered 200 without the members of a result" };

  test.each(["null", "true", "[]", '"Success"', "5"])(
    "%s is no record, and no list of any",
    (body) => {
      expect(decode(getBalance, answer(body))).toEqual(without);
      expect(decode(listTemplates, answer(body))).toEqual(without);
    },
  );

  test("a list that has no pages is no record, a record beside a document not an empty one", () => {
    expect(decode(listCategories, answer("{}"))).toEqual(without);
    expect(decode(getQuote, answer("{}"))).toEqual(without);
    expect(decode(getQuote, answer("%PDF-1.7", "application/pdf"))).toHaveProperty("value");
  });

  test("a text is one: a transfer is not done because another request was answered", () => {
    for (const body of ["null", "true", "5", "[]", '{"balance":1}'])
      expect(decode(transferBalance, answer(body))).toEqual(without);
    expect(decode(transferBalance, answer('"Success"'))).toHaveProperty("value");
  });

  test("a record that the path names has that id", () => {
    for (const asked of [getChannel, unlinkChannel]) {
      expect(decode(asked, answer('{"accountId":"1","searchId":"shop"}'))).toEqual(without);
      expect(decode(asked, answer('{"pfId":"P1"}'))).toHaveProperty("value");
    }
  });

  test("a document has bytes", () => {
    expect(decode(download, answer(""))).toHaveProperty("fault");
    expect(decode(download, answer("", "", 204))).toHaveProperty("fault");
    expect(decode(getQuote, answer("", "application/pdf"))).toHaveProperty("fault");
  });

  test("a spreadsheet that was cut short is none", () => {
    const file = zipSync({ "xl/workbook.xml": Buffer.from("<workbook/>") });
    expect(decode(exportMessages, answer(file))).toHaveProperty("value");
    for (const cut of [1, 5, 22, file.length - 2, file.length])
      expect(decode(exportMessages, answer(file.subarray(0, -cut)))).toHaveProperty("fault");
    expect(decode(exportMessages, answer("PK<html>sign in</html>"))).toHaveProperty("fault");
  });

  test("a record beside a document holds what proves that it is the one", () => {
    const balance = '{"accountId":"1","balance":1}';
    expect(decode(getStatement, answer(balance))).toEqual(without);
  });

  test("a list that is left out is no empty one; null and nothing in it are", () => {
    expect(decode(listTemplates, answer('{"limit":20}'))).toEqual(without);
    for (const rows of ["null", "[]"])
      expect(decode(listTemplates, answer(`{"templateList":${rows}}`))).toHaveProperty("value");
  });

  test("any other status is no reply", () => {
    expect(decode(getBalance, answer("{}", "application/json", 302))).toEqual({ fault: undefined });
  });
});
