/** The flags that every command takes, anywhere on the line. */

export interface GlobalFlag {
  readonly name: string;
  readonly short?: string;
  /** What the value is, for help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
}

const declared = [
  { name: "profile", short: "p", value: "name", description: "which account" },
  { name: "sandbox", description: "the emulated service in this process: the profile 'sandbox'" },
  { name: "output", short: "o", value: "format", description: "table, tsv, csv, json or jsonl" },
  { name: "json", description: "the same as -o json" },
  { name: "fields", value: "a,b.c", description: "columns or JSON members to show, in order" },
  { name: "no-header", description: "leave the header of a table, TSV or CSV out" },
  { name: "bom", description: "a byte order mark in front of TSV and CSV, for spreadsheets" },
  { name: "wide", description: "tables with every column and whole ids, wider than the screen" },
  {
    name: "envelope",
    description: "print a list as {items, nextKey}, a send as {record, cost, alreadySent}",
  },
  { name: "tz", value: "zone", description: "time zone of tables and of dates that you type" },
  { name: "quiet", short: "q", description: "no notes; of a written record print only its id" },
  { name: "debug", description: "trace requests on standard error, without secrets" },
  { name: "no-color", description: "no colours" },
  { name: "no-input", description: "never ask" },
  { name: "yes", short: "y", description: "answer confirmations with yes" },
  { name: "confirm", value: "text", description: "the text that a confirmation asks to type" },
  { name: "dry-run", short: "n", description: "check and show what would be sent, send nothing" },
  { name: "timeout", value: "30s", description: "limit of one request" },
  { name: "base-url", value: "url", description: "host of the service" },
  { name: "auth-url", value: "url", description: "host of the OAuth2 endpoints" },
  { name: "help", short: "h", description: "show help" },
] as const satisfies readonly GlobalFlag[];

type Name = (typeof declared)[number]["name"];

/** In the order of help. */
export const globalFlags: readonly (GlobalFlag & { readonly name: Name })[] = declared;

/** The global flags as typed: text, or true for a switch. */
export type Globals = { readonly [K in Name]?: string | true };
