import { createServer, type Server } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { untilStopped } from "../sandbox/doors.ts";
import { type Ran, type Shell, shell } from "../support/msg.ts";
import { secretOf } from "../support/signer.ts";

/** What becomes of a member of an answer; undefined leaves it out. */
type Change = (value: unknown, name: string) => unknown;

const changes: Readonly<Record<string, Change>> = {
  dropped: () => undefined,
  null: () => null,
  text: (value) => (typeof value === "object" ? value : String(value)),
};

/** The members that a list is read on by, and those without which there is no answer at all. */
const kept = /^(\w+List|data|friends|payments|completed|nextKey|startKey|limit|\w+Id|_id)$/;

/** Every member of an answer changed, rows of lists and what is in them included. */
const changed = (value: unknown, change: Change): unknown => {
  if (Array.isArray(value)) return value.map((it) => changed(it, change));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const isRow = typeof member === "object" && /^[A-Z]\w{20,}$/.test(name);
    const next =
      kept.test(name) || isRow ? changed(member, change) : change(changed(member, change), name);
    return next === undefined ? [] : [[name, next]];
  });
  return Object.fromEntries(members);
};

let sandbox: Sandbox;
let close: () => Promise<void>;
let proxy: Server;
let change: Change = (value) => value;
let msg: Shell;

beforeAll(async () => {
  sandbox = openSandbox({ file: ":memory:", now: () => new Date(), wait: untilStopped });
  const server = await sandbox.listen({ port: 0 });
  close = server.close;
  proxy = createServer(async (request, response) => {
    const { authorization = "" } = request.headers;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = await fetch(server.baseUrl + request.url, {
      method: request.method ?? "GET",
      headers: { authorization, "content-type": "application/json" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const body = answer.ok ? JSON.stringify(changed(JSON.parse(text), change)) : text;
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" ? address?.port : undefined;
  msg = shell({
    env: {
      MSG_BASE_URL: `http://127.0.0.1:${port}`,
      MSG_API_KEY: "SANDBOXKEY000001",
      MSG_API_SECRET: secretOf(1),
    },
  });
  const settings = { method: "PUT", body: '{"secondFactor":"off"}' };
  const card = '{"cardNumber":"4111111111111111","cvc":"123","expYear":29,"expMonth":5}';
  await fetch(`${server.baseUrl}/_sandbox/settings`, {
    ...settings,
    headers: { "content-type": "application/json" },
  });
  expect((await msg("payment add --input - --confirm 1111", { stdin: card })).code).toBe(0);
  const sent = await msg("send --to 01000000001 --from 0200000000 --text hello --json");
  expect(sent.code).toBe(0);
});
afterAll(async () => {
  proxy.close();
  await close();
  sandbox.close();
});

const reads = [
  "balance",
  "balance history",
  "balance alert",
  "payment list",
  "payment auto-recharge",
  "payment bank",
  "payment withdraw list",
  "message list",
  "group list",
  "template list",
  "template get KA01TP260101000000000SANDBOX0001",
  "channel list",
  "channel get KA01PF260101000000000SANDBOX0001",
  "channel categories",
  "files list",
  "quota",
  "quota requests",
  "app profits --since 2020-01-01 --until 2030-01-01",
  "price",
  "stats",
  "stats daily",
  "sender list",
];

/** A fault of the program, or a cell that shows how it came about. */
const faultOf = (line: string, { code, out, err }: Ran): string | undefined =>
  code === 1 || /undefined|NaN|\[object|Invalid Date/.test(out)
    ? `${line}: ${code} ${err} ${out.slice(0, 300)}`
    : undefined;

test.each(Object.keys(changes))(
  "answers whose members are %s end in no fault and no false word",
  async (name) => {
    change = changes[name] ?? change;
    const wrong: string[] = [];
    for (const line of reads) {
      const found = faultOf(line, await msg(`${line} -o tsv`, { tty: 200 }));
      if (found !== undefined) wrong.push(found);
    }
    expect(wrong).toEqual([]);
  },
);

test("nor do answers of which any members are changed in any way", async () => {
  const ways = fc.array(fc.constantFrom("kept", ...Object.keys(changes)), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...reads), ways, async (line, chosen) => {
      let at = 0;
      change = (value, name) => {
        at += 1;
        const way = changes[chosen[at % chosen.length] ?? ""];
        return way ? way(value, name) : value;
      };
      expect(faultOf(line, await msg(`${line} -o tsv`, { tty: 200 }))).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});

test.each<[string, Change]>([
  ["is text", (value, name) => (name === "errorCount" ? String(value) : value)],
  ["is left out", (value, name) => (name === "errorCount" ? undefined : value)],
])("messages go into a group and out of it where the count of errors %s", async (_, way) => {
  change = (value) => value;
  const { groupId } = JSON.parse((await msg("group create --json")).out);
  change = way;
  const stdin = '[{"to":"01000000001","from":"0200000000","text":"a"}]';
  const added = await msg(`group add ${groupId} - -o tsv`, { stdin });
  expect(added).toMatchObject({ code: 0, out: "total\taccepted\trefused\n1\t1\t0\n" });
  const listed = await msg(`group messages ${groupId} -o jsonl --fields messageId`);
  const { messageId } = JSON.parse(listed.out);
  const removed = await msg(`group remove ${groupId} ${messageId} -o tsv`);
  expect(removed).toMatchObject({
    code: 0,
    out: `groupId\tremoved\trefused\n${groupId}\t1\t0\n`,
  });
});

test("templates whose codes bear the service's own provider key show the same states", async () => {
  change = (value) => (value === "biz" ? "providerA" : value);
  const documented = await msg("template list -o tsv");
  expect(documented.out).toContain("APPROVED");
  change = (value) => (value === "biz" ? "daou" : value);
  expect(await msg("template list -o tsv")).toMatchObject({ code: 0, out: documented.out });
});
