/** The formats of what is printed, in one place for the settings and for the output. */

export const formats = ["table", "tsv", "csv", "json", "jsonl"] as const;

export type Format = (typeof formats)[number];
