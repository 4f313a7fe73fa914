/** P14: the byte rule for a text, against the cheapest measure of a text that there is. */
import { join } from "node:path";
import * as v from "valibot";
import { foundInTurn, median, output, type Row } from "../measure.ts";

const Texts = v.object({ hangul: v.number(), mixed: v.number(), long: v.number() });

export const byteRule: Row = {
  id: "P14",
  what: "byte rule for a text",
  run: async ({ node, programs, rounds }) => {
    /** One process measures all three texts. */
    const measure = (rule: string) => async () =>
      v.parse(
        Texts,
        JSON.parse(await output({ file: node, args: [join(programs, "byte-rule.js"), rule] })),
      );
    const found = await foundInTurn(rounds, {
      "Buffer.byteLength": measure("byteLength"),
      "iconv-lite": measure("iconv"),
      msg: measure("msg"),
    });
    const medians = (text: keyof v.InferOutput<typeof Texts>) =>
      Object.fromEntries(
        Object.entries(found).map(([rule, all]) => [rule, median(all.map((it) => it[text]))]),
      );
    const goals = [{ to: "Buffer.byteLength", atMost: 3 }];
    const texts = ["hangul", "mixed", "long"] as const;
    return texts.map((text) => ({
      what: `${text} text`,
      unit: "ns",
      medians: medians(text),
      subject: "msg",
      goals,
    }));
  },
};
