/** Fills a sandbox with rows of one account and prints how long pages of its list take, in ms. */
import { openSandbox } from "../../../src/sandbox/index.ts";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import { authorization } from "../../support/signer.ts";

const [file = ":memory:", count = "1000000", rounds = "7"] = process.argv.slice(2);
const accountId = "26010500000001";
const perGroup = 1_000_000;
const chunk = 100_000;

const now = () => new Date();
const sandbox = openSandbox({ file, now, wait: async () => undefined });
const tables = openTables(file);
const base = Date.now() - 86_400_000;

/** Notes the calls that the rows of a group came in by. */
const noteBatches = (group: number): void =>
  void tables.run(
    `INSERT INTO batches (firstSeq, lastSeq, groupSeq, accountId, created)
     SELECT min(seq), max(seq), ?1, ?2, created FROM messages
     WHERE seq > (?1 - 1) * ?3 AND seq <= ?1 * ?3 GROUP BY created`,
    [group, accountId, perGroup],
  );

const fillGroup = (group: number, rows: number): void => {
  tables.run(
    `INSERT INTO groups (seq, accountId, status, strict, allowDuplicates, prepaid, created, updated)
     VALUES (?, ?, 'COMPLETE', 0, 0, 1, ?, ?)`,
    [group, accountId, base, base],
  );
  for (let from = 0; from < rows; from += chunk) {
    // A thousand rows share a millisecond, as those of one call do.
    tables.run(
      `WITH RECURSIVE n (k) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT k + 1 FROM n WHERE k < ?2 - 1)
       INSERT INTO messages (seq, recipient, sender, text, type, country, statusCode, outcome, price,
         created, updated)
       SELECT k + 1, printf('010%08d', k), '0200000000', 'hello', 'SMS', '82', '4000', '4000',
         20, CAST(?3 AS INTEGER) + k / 1000, CAST(?3 AS INTEGER) + k / 1000 FROM n`,
      [(group - 1) * perGroup + from, (group - 1) * perGroup + Math.min(from + chunk, rows), base],
    );
  }
  noteBatches(group);
};

for (let group = 1; (group - 1) * perGroup < Number(count); group += 1)
  fillGroup(group, Math.min(perGroup, Number(count) - (group - 1) * perGroup));

interface Listed {
  readonly nextKey: string | null;
  readonly messageList: Readonly<Record<string, unknown>>;
}

const list = async (query: string): Promise<Listed> => {
  const headers = { authorization: authorization() };
  const target = `/messages/v4/list?limit=500${query}`;
  const { signal } = new AbortController();
  const { body } = await sandbox.send({ method: "GET", target, headers }, signal);
  return JSON.parse(Buffer.from(body).toString());
};

/** The key of a row that is found by its time: pages themselves never count through the list. */
const keyAt = async (row: number): Promise<string> => {
  const until = new Date(base + Math.floor(row / 1000)).toISOString();
  return Object.keys((await list(`&endDate=${until}`)).messageList)[0] ?? "";
};

const keys = {
  first: "",
  middle: `&startKey=${await keyAt(Number(count) / 2)}`,
  last: `&startKey=${Object.keys((await list(`&endDate=${new Date(base).toISOString()}`)).messageList).at(-1) ?? ""}`,
};

const times: Record<keyof typeof keys, number[]> = { first: [], middle: [], last: [] };
for (let round = 0; round < Number(rounds) * 5; round += 1) {
  for (const name of ["first", "middle", "last"] as const) {
    const start = performance.now();
    await list(keys[name]);
    times[name].push(performance.now() - start);
  }
}
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
process.stdout.write(
  JSON.stringify({
    first: median(times.first),
    middle: median(times.middle),
    last: median(times.last),
  }),
);
tables.close();
sandbox.close();
