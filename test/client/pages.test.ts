import { describe, expect, test } from "vitest";
import type { PagesOptions } from "../../src/client/client.ts";
import { listHistory } from "../../src/contract/cash.ts";
import type { PageOf } from "../../src/contract/endpoint.ts";
import { listMessages } from "../../src/contract/messages.ts";
import { listWithdrawals } from "../../src/contract/payment.ts";
import { listByKey, listByOffset } from "../contract/samples.ts";
import { clientOf, failure, type Reply, service } from "./service.ts";

const collect = async <R>(pages: AsyncIterable<PageOf<R>>): Promise<PageOf<R>[]> => {
  const all: PageOf<R>[] = [];
  for await (const page of pages) all.push(page);
  return all;
};

const json = (value: unknown): Reply => ({ body: JSON.stringify(value) });
const keyed = (ids: readonly string[], nextKey: unknown): Reply =>
  json({ data: ids.map((withdrawId) => ({ withdrawId, amount: 1 })), nextKey });
const rows = (...ids: readonly string[]) => ids.map((withdrawId) => ({ withdrawId, amount: 1 }));

const byKey = async (replies: readonly Reply[], options?: PagesOptions, query = {}) => {
  const { url, seen } = await service(...replies);
  const { client } = clientOf(url);
  return {
    pages: () => collect(client.pages(listByKey, { query }, options)),
    asked: () => seen.map((it) => Object.fromEntries(new URL(it.path, url).searchParams)),
  };
};

describe("paging by key", () => {
  test.each([null, "", undefined])("the last page has nextKey %o", async (end) => {
    const { pages, asked } = await byKey([keyed(["a", "b"], "c"), keyed(["c"], end)]);
    expect(await pages()).toEqual([
      { rows: rows("a", "b"), next: "c" },
      { rows: rows("c"), next: undefined },
    ]);
    expect(asked()).toEqual([{ limit: "500" }, { limit: "500", startKey: "c" }]);
  });

  test("the last page is asked for no more than what is missing", async () => {
    const replies = [keyed(["a", "b"], "c"), keyed(["c"], "d")];
    const { pages, asked } = await byKey(replies, { rows: 3 }, { limit: 2, status: "DONE" });
    expect((await pages()).map((it) => it.next)).toEqual(["c", "d"]);
    expect(asked()).toEqual([
      { status: "DONE", limit: "2" },
      { status: "DONE", limit: "1", startKey: "c" },
    ]);
  });

  test("a service that answers more than was asked for loses no row", async () => {
    const message = (messageId: string) => ({ messageId });
    const list = { a: message("a"), b: message("b"), c: message("c") };
    const { url } = await service(json({ messageList: list, nextKey: "d" }));
    const { client } = clientOf(url);
    expect(await collect(client.pages(listMessages, {}, { rows: 2 }))).toEqual([
      { rows: [message("a"), message("b")], next: "c" },
    ]);
  });

  test.each([
    ["the first page again", [keyed(["a"], "b"), keyed(["b"], "b")]],
    ["a circle", [keyed(["a"], "b"), keyed(["b"], "c"), keyed(["c"], "b")]],
  ])("S15 a list that leads to %s ends: exit 10", async (_, replies) => {
    const { pages } = await byKey(replies);
    const todo = expect.stringContaining("narrow the list with its filters");
    expect(await failure(pages())).toMatchObject({ exitCode: 10, code: "PagingLoop", todo });
  });

  test("S15 a page that leads to its own start ends: exit 10", async () => {
    for (const options of [undefined, { rows: 1 }]) {
      const { pages } = await byKey([keyed(["a"], "a")], options, { startKey: "a" });
      expect(await failure(pages())).toMatchObject({ exitCode: 10, code: "PagingLoop" });
    }
  });

  test.each([null, "none", 3])("S13 %o instead of rows is no rows", async (data) => {
    const { pages } = await byKey([json({ data, nextKey: null })]);
    expect(await pages()).toEqual([{ rows: [], next: undefined }]);
  });

  test.each([
    ["messages", listMessages, { messageList: "none" }],
    ["movements", listHistory, {}],
    ["withdrawals", listWithdrawals, {}],
  ] as const)(
    "S13 what is to be a list of %s and is none proves nothing",
    async (_, list, reply) => {
      const { url } = await service(json(reply));
      const { client } = clientOf(url);
      const pages = collect<unknown>(client.pages(list, {}));
      expect(await failure(pages)).toMatchObject({ exitCode: 10, code: "UnreadableAnswer" });
    },
  );

  test("a page is asked for when the one before was taken", async () => {
    const { url, seen } = await service(keyed(["a"], "b"), keyed(["b"], null));
    const pages = clientOf(url).client.pages(listByKey, {})[Symbol.asyncIterator]();
    expect(seen).toHaveLength(0);
    await pages.next();
    expect(seen).toHaveLength(1);
    await pages.return?.();
    expect(seen).toHaveLength(1);
  });
});

describe("paging by offset", () => {
  const history = (count: number, from = 0): Reply =>
    json(Array.from({ length: count }, (_, at) => ({ historyId: String(from + at) })));

  test("ends with the first page that is shorter than asked for", async () => {
    const { url, seen } = await service(history(2), history(2, 2), history(1, 4));
    const { client } = clientOf(url);
    const pages = await collect(client.pages(listByOffset, { query: { limit: 2, offset: 5 } }));
    expect(pages.map((it) => [it.rows.length, it.next])).toEqual([
      [2, "7"],
      [2, "9"],
      [1, undefined],
    ]);
    expect(seen.map((it) => new URL(it.path, url).searchParams.get("offset"))).toEqual([
      "5",
      "7",
      "9",
    ]);
  });

  test("a service that answers fewer rows than were asked for loses none", async () => {
    const { url, seen } = await service(history(100), history(30, 100), history(0));
    const { client } = clientOf(url);
    const pages = await collect(client.pages(listByOffset, {}));
    expect(pages.map((it) => [it.rows.length, it.next])).toEqual([
      [100, "100"],
      [30, "130"],
      [0, undefined],
    ]);
    expect(seen).toHaveLength(3);
  });

  test("a list that takes no limit is one page, however many rows it has", async () => {
    const { url, seen } = await service(history(100));
    const { limit: _, ...query } = listByOffset.query;
    const pages = await collect(clientOf(url).client.pages({ ...listByOffset, query }, {}));
    expect(pages.map((it) => [it.rows.length, it.next])).toEqual([[100, undefined]]);
    expect(seen).toHaveLength(1);
  });

  test("a service that passes over the offset does not list for ever", async () => {
    const { url, seen } = await service(history(100));
    const pages = collect(clientOf(url).client.pages(listByOffset, {}));
    expect(await failure(pages)).toMatchObject({ exitCode: 10, code: "PagingLoop" });
    expect(seen).toHaveLength(2);
  });

  test("stops at the rows that were wanted, and says where it goes on", async () => {
    const { url } = await service(history(2), history(1, 2));
    const { client } = clientOf(url);
    const pages = await collect(client.pages(listByOffset, { query: { limit: 2 } }, { rows: 3 }));
    expect(pages.at(-1)?.next).toBe("3");
  });
});
