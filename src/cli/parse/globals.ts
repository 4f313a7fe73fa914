/** The flags that every command takes, anywhere on the line (cli.md 1). */

export interface GlobalFlag {
  readonly name: string;
  readonly short?: string;
  /** What the value is, for help; absent for a switch. */
  readonly value?: string;
  readonly words: string;
}

export const globalFlags = [
  { name: "profile", short: "p", value: "name", words: "which account" },
  { name: "sandbox", words: "the emulated service in this process: the profile 'sandbox'" },
  { name: "output", short: "o", value: "format", words: "table, tsv, csv, json or jsonl" },
  { name: "json", words: "the same as -o json" },
  { name: "fields", value: "a,b.c", words: "columns or JSON members to show, in order" },
  { name: "no-header", words: "leave the header of a table, TSV or CSV out" },
  { name: "bom", words: "a byte order mark in front of TSV and CSV, for spreadsheets" },
  { name: "envelope", words: "print a list as {items, nextKey}" },
  { name: "tz", value: "zone", words: "time zone of tables and of dates that you type" },
  { name: "quiet", short: "q", words: "no notes; of a written record print only its id" },
  { name: "debug", words: "trace requests on standard error, without secrets" },
  { name: "no-color", words: "no colours" },
  { name: "no-input", words: "never ask" },
  { name: "yes", short: "y", words: "answer confirmations with yes" },
  { name: "confirm", value: "text", words: "the text that a confirmation asks to type" },
  { name: "dry-run", short: "n", words: "check and show what would be sent, send nothing" },
  { name: "timeout", value: "30s", words: "limit of one request" },
  { name: "base-url", value: "url", words: "host of the service" },
  { name: "auth-url", value: "url", words: "host of the OAuth2 endpoints" },
  { name: "help", short: "h", words: "show help" },
] as const satisfies readonly GlobalFlag[];

type Name = (typeof globalFlags)[number]["name"];

/** The global flags as typed: text, or true for a switch. */
export type Globals = { readonly [K in Name]?: string | true };
