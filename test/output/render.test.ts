/** Lists are written as they arrive: page by page, as long as somebody reads. */
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { PageOf } from "../../src/contract/endpoint.ts";
import { formats } from "../../src/contract/fields.ts";
import { createOut } from "../../src/output/out.ts";
import { renderPages, renderRows } from "../../src/output/render.ts";
import { outTo, sink, viewOf } from "./sink.ts";

const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `row-${first + at}` }));

describe("renderPages", () => {
  test("P13 the first page is out before the second is asked for, in every format", async () => {
    for (const format of formats) {
      const into = sink();
      const seen: string[] = [];
      const pages = async function* (): AsyncGenerator<PageOf<unknown>> {
        yield { rows: rowsFrom(0, 3), next: "k" };
        seen.push(into.text());
        yield { rows: rowsFrom(3, 2), next: undefined };
      };
      const count = await renderPages(outTo(into), viewOf({ format }), ["id"], pages());
      expect(count).toBe(5);
      expect(seen[0]).toContain("row-2");
      expect(into.text()).toContain("row-4");
    }
  });

  test("--envelope tells how the list goes on after the last page", async () => {
    const into = sink();
    const view = viewOf({ format: "json", envelope: true });
    await renderPages(outTo(into), view, ["id"], [{ rows: rowsFrom(0, 1), next: "K2" }]);
    expect(JSON.parse(into.text())).toEqual({ items: [{ id: "row-0" }], nextKey: "K2" });
  });

  test("nothing is asked for once nobody reads", async () => {
    let asked = 0;
    const pages = async function* (): AsyncGenerator<PageOf<unknown>> {
      for (asked = 1; asked < 50; asked += 1) yield { rows: rowsFrom(asked, 10), next: undefined };
    };
    const stream = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error("gone"), { code: "EPIPE" }));
      },
    });
    const out = createOut(stream, {
      colour: false,
      redact: String,
    });
    await renderPages(out, viewOf({ format: "tsv" }), ["id"], pages());
    expect(asked).toBeLessThanOrEqual(2);
    expect(out.failure).toMatchObject({ code: "EPIPE" });
  });

  test("an error of the source passes through, what came before is written", async () => {
    const into = sink();
    const pages = async function* (): AsyncGenerator<PageOf<unknown>> {
      yield { rows: rowsFrom(0, 1), next: undefined };
      throw new Error("second page failed");
    };
    const rendered = renderPages(outTo(into), viewOf({ format: "tsv" }), ["id"], pages());
    await expect(rendered).rejects.toThrow("second page failed");
    expect(into.text()).toBe("id\nrow-0\n");
  });
});

describe("renderRows", () => {
  test("a row that was waited for is out before the next is asked for", async () => {
    const into = sink();
    const seen: string[] = [];
    const rows = async function* () {
      yield { id: "a" };
      seen.push(into.text());
      yield { id: "b" };
    };
    const view = viewOf({ format: "jsonl" });
    expect(await renderRows(outTo(into), view, ["id"], rows())).toBe(2);
    expect(seen).toEqual(['{"id":"a"}\n']);
  });

  test("10,000 rows are laid out a hundred at a time: the work grows with the rows", async () => {
    const sizes: number[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        sizes.push(chunk.toString().split("\n").length - 1);
        done();
      },
    });
    const out = createOut(stream, {
      colour: false,
      redact: String,
    });
    const notes: string[] = [];
    const note = async (text: string) => void notes.push(text);
    const view = viewOf({ header: false });
    await renderRows(out, view, ["id"], rowsFrom(0, 10_000), { note });
    expect(sizes).toEqual(Array.from({ length: 100 }, () => 100));
    expect(notes).toEqual([expect.stringContaining("-o tsv")]);
  });

  test("no other format, and no table of 5,000 rows, is called long", async () => {
    const notes: string[] = [];
    const note = async (text: string) => void notes.push(text);
    const rows = rowsFrom(0, 5_001);
    await renderRows(outTo(sink()), viewOf({ format: "tsv" }), ["id"], rows, { note });
    await renderRows(outTo(sink()), viewOf(), ["id"], rows.slice(1), { note });
    expect(notes).toEqual([]);
  });
});
