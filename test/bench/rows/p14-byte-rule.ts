/** P14: the byte rule for a text, against the cheapest measure of a text that there is. */
import { join } from "node:path";
import * as v from "valibot";
import { inTurn, output, type Row } from "../measure.ts";

const Texts = v.object({ hangul: v.number(), mixed: v.number(), long: v.number() });

export const byteRule: Row = {
  id: "P14",
  what: "byte rule for a text",
  run: async ({ node, programs, rounds }) => {
    const measure = async (rule: string) =>
      v.parse(
        Texts,
        JSON.parse(await output({ file: node, args: [join(programs, "byte-rule.js"), rule] })),
      );
    const one = (rule: string, text: keyof v.InferOutput<typeof Texts>) => async () =>
      (await measure(rule))[text];
    const goals = [{ to: "Buffer.byteLength", atMost: 3 }];
    const texts = ["hangul", "mixed", "long"] as const;
    return Promise.all(
      texts.map(async (text) => ({
        what: `${text} text`,
        unit: "ns" as const,
        medians: await inTurn(rounds, {
          "Buffer.byteLength": one("byteLength", text),
          "iconv-lite": one("iconv", text),
          msg: one("msg", text),
        }),
        subject: "msg",
        goals,
      })),
    );
  },
};
