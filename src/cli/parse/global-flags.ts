/** The flags that every command takes, anywhere on the line. */

export interface GlobalFlag {
  readonly name: string;
  readonly short?: string;
  /** What the value is, for help; absent for a switch. */
  readonly value?: string;
  readonly description: string;
}

const declared = [
  { name: "profile", short: "p", value: "name", description: "account to use" },
  { name: "sandbox", description: "use the built-in sandbox, as -p sandbox does" },
  { name: "output", short: "o", value: "format", description: "table, tsv, csv, json or jsonl" },
  { name: "json", description: "the same as -o json" },
  { name: "fields", value: "a,b.c", description: "columns or JSON members to show, in order" },
  { name: "no-header", description: "omit the header of a table, TSV or CSV" },
  { name: "bom", description: "start TSV and CSV with a byte order mark, for spreadsheets" },
  {
    name: "wide",
    description: "tables with every column and whole ids, even if wider than the screen",
  },
  {
    name: "envelope",
    description: "print a list as {items, nextKey}, a send as {record, cost, alreadySent}",
  },
  { name: "lang", value: "ko|en", description: "language of messages, notes and help" },
  {
    name: "tz",
    value: "zone",
    description: "time zone of tables and of dates that you type, such as KST",
  },
  { name: "quiet", short: "q", description: "no notes; print only the new id" },
  { name: "debug", description: "trace requests on standard error, without secrets" },
  { name: "no-color", description: "no colours" },
  { name: "no-input", description: "never prompt" },
  { name: "yes", short: "y", description: "answer confirmations with yes" },
  { name: "confirm", value: "text", description: "answer a confirmation that asks to type a text" },
  { name: "dry-run", short: "n", description: "check and show what would be sent; send nothing" },
  { name: "timeout", value: "30s", description: "time limit of a request" },
  { name: "base-url", value: "url", description: "host of the service" },
  { name: "auth-url", value: "url", description: "host of the OAuth2 endpoints" },
  { name: "help", short: "h", description: "show help" },
] as const satisfies readonly GlobalFlag[];

type Declared = (typeof declared)[number];

/** In the order of help. */
export const globalFlags: readonly (GlobalFlag & Pick<Declared, "name">)[] = declared;

/** The global flags as typed: text, or true for a switch. */
export type Globals = {
  readonly [F in Declared as F["name"]]?: F extends { readonly value: string } ? string : true;
};
