/** A sandbox behind a line, and its books: who was really sent to, and how often. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type Database, openDatabase } from "../../src/sandbox/store/driver.ts";
import { laySandbox } from "../support/new-sandbox.ts";
import { envOf } from "../support/signer.ts";
import type { Line } from "./line.ts";

export interface Service {
  readonly sandbox: Sandbox;
  readonly file: string;
  readonly baseUrl: string;
  /** Recipient → how often a group that was sent holds it accepted. */
  readonly books: () => Map<string, number>;
  /** The same for these recipients alone, one after the other; of groups that wait for their hour, too. */
  readonly countsOf: (numbers: readonly string[]) => number[];
  readonly promisesTo: (numbers: readonly string[]) => number[];
  /** Rows straight from its tables. */
  readonly rows: <R extends object>(sql: string) => R[];
  /** Signatures are remembered no longer than the request takes. */
  readonly forgetSignatures: () => void;
  readonly stop: () => Promise<void>;
}

/** Opens it on a store that `lay` puts there: one with nothing but its fixtures when left out. */
export const openService = async (
  folder: string,
  now?: () => Date,
  lay: (file: string, now?: () => Date) => unknown = laySandbox,
): Promise<Service> => {
  const file = join(folder, `service-${randomBytes(4).toString("hex")}.db`);
  const wait = async (ms: number): Promise<void> => delay(ms);
  lay(file, now);
  const sandbox = openSandbox({ file, now: now ?? (() => new Date()), wait });
  const server = await sandbox.listen({ port: 0 });
  const tables = openDatabase(file);
  return {
    sandbox,
    file,
    baseUrl: server.baseUrl,
    books: () => readBooks(tables, isSent),
    countsOf: (numbers) => countsOf(tables, isSent, numbers),
    promisesTo: (numbers) =>
      countsOf(tables, `(${isSent} OR groups.status = 'SCHEDULED')`, numbers),
    rows: (sql) => tables.all(sql),
    forgetSignatures: () => forgetSignatures(tables),
    stop: async () => {
      await server.close();
      tables.close();
      sandbox.close();
    },
  };
};

const forgetSignatures = (tables: Database): void =>
  void tables.run(
    "CREATE TRIGGER forget AFTER INSERT ON signatures BEGIN DELETE FROM signatures; END",
  );

const isSent = "groups.sent IS NOT NULL AND groups.status <> 'FAILED'";

interface Row {
  readonly recipient: string;
  readonly count: number;
}

const readBooks = (tables: Database, isMeant: string): Map<string, number> => {
  const rows = tables.all<Row>(
    `SELECT recipient, count(*) AS count FROM groups JOIN batches ON groupSeq = groups.seq
       JOIN messages ON messages.seq BETWEEN firstSeq AND lastSeq
     WHERE ${isMeant} AND statusCode NOT LIKE '1%'
     GROUP BY recipient`,
  );
  return new Map(rows.map((it) => [it.recipient, it.count]));
};

/** Goes by the recipients: a service of many tests holds many more. */
const countsOf = (tables: Database, isMeant: string, numbers: readonly string[]): number[] => {
  const listed = numbers.map(() => "?").join();
  const rows = tables.all<Row>(
    `SELECT recipient, count(*) AS count FROM messages
     WHERE recipient IN (${listed}) AND statusCode NOT LIKE '1%' AND EXISTS (
       SELECT 1 FROM batches JOIN groups ON groups.seq = batches.groupSeq
       WHERE messages.seq BETWEEN firstSeq AND lastSeq AND ${isMeant})
     GROUP BY recipient`,
    numbers,
  );
  const counts = new Map(rows.map((it) => [it.recipient, it.count]));
  return numbers.map((to) => counts.get(to) ?? 0);
};

/** The environment of a `msg` that talks to the service over a line. */
export const envFor = (line: Pick<Line, "baseUrl">): Readonly<Record<string, string>> =>
  envOf(line.baseUrl);

/** CSV of as many recipients, numbered from `first`; all of them can be reached. */
export const rowsOf = (count: number, first = 0): string =>
  `to\n${numbersOf(count, first).join("\n")}\n`;

export const numbersOf = (count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, at) => `0105${String(first + at).padStart(7, "0")}`);

export const sending = (...more: readonly string[]): readonly string[] => [
  ..."send-many - --from 0200000000 --text x".split(" "),
  ...more,
];
