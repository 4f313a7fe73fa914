import { command } from "../../cli/command.ts";
import { documentFlags, saveDocument } from "../../cli/save-document.ts";
import { getQuote } from "../../contract/cash.ts";

export default command({
  endpoint: getQuote,
  flags: documentFlags("write the quote to this file"),
  columns: [
    { name: "company", value: (row) => ("company" in row ? row.company : undefined) },
    {
      name: "items",
      value: (row) =>
        "items" in row ? row.items.map((it) => [it.qty, it.type].join(" ")).join(", ") : undefined,
    },
    { name: "supplyCost", value: (row) => ("items" in row ? row.supplyCostTotal : undefined) },
    { name: "tax", value: (row) => ("items" in row ? row.taxTotal : undefined) },
    { name: "total", value: (row) => ("items" in row ? row.totalAmount : undefined) },
    { name: "dateIssued", value: (row) => ("items" in row ? row.dateIssued : undefined) },
  ],
  examples: [
    'msg balance quote --company "Example Co" --type SMS --qty 1000 --sandbox',
    "msg balance quote --company Example --type SMS --qty 1000 --type LMS --qty 200 --json",
    "msg balance quote --company Example --amount 100000 --out quote.json",
  ],
  run: (ctx, _input, { flags }, issue) => saveDocument(ctx, flags, issue),
});
