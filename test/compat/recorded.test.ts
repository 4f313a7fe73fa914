import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { service } from "../client/service.ts";
import { type Shell, shell } from "../support/msg.ts";
import { envOf } from "../support/signer.ts";
import { type Change, changes, faultOf, openChanging } from "./changing.ts";

const opened: { it?: Awaited<ReturnType<typeof openChanging>> } = {};
let msg: Shell;
let change: Awaited<ReturnType<typeof openChanging>>["change"];

beforeAll(async () => {
  opened.it = await openChanging();
  ({ msg, change } = opened.it);
  const card = '{"cardNumber":"4111111111111111","cvc":"123","expYear":29,"expMonth":5}';
  expect((await msg("payment add --input - --confirm 1111", { stdin: card })).code).toBe(0);
  const bank = '{"accountNumber":"0012345678901","bankCode":"004","holderName":"Op"}';
  expect((await msg("payment bank add --input - --confirm 8901", { stdin: bank })).code).toBe(0);
  const sent = await msg("send --to 01000000001 --from 0200000000 --text hello --json");
  expect(sent.code).toBe(0);
});
afterAll(() => opened.it?.close());

const commands = [
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
  "template get KA01TP260101000000000SANDBOX0003 --comments",
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
  "stats failures",
  "template update KA01TP260101000000000SANDBOX0002 --content hello -y",
];

test.each(Object.keys(changes))(
  "answers whose members are %s end in no fault and no false word",
  async (name) => {
    change(changes[name]);
    const wrong: string[] = [];
    for (const line of commands) {
      const found = faultOf(line, await msg(`${line} -o tsv`, { tty: 200 }));
      if (found !== undefined) wrong.push(found);
    }
    expect(wrong).toEqual([]);
  },
);

test("nor do answers of which any members are changed in any way", async () => {
  const ways = fc.array(fc.constantFrom("kept", ...Object.keys(changes)), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...commands), ways, async (line, chosen) => {
      let at = 0;
      change((value, name) => {
        at += 1;
        const way = changes[chosen[at % chosen.length] ?? ""];
        return way ? way(value, name) : value;
      });
      expect(faultOf(line, await msg(`${line} -o tsv`, { tty: 200 }))).toBeUndefined();
    }),
    { numRuns: 25 },
  );
});

test.each(Object.keys(changes))(
  "nor does one whose log, quantities, bank or failures alone are %s",
  async (name) => {
    change();
    const { groupId } = JSON.parse((await msg("group create --json")).out);
    const alone = /^(log|qty|bankCode|failed)$/;
    change((value, member) => (alone.test(member) ? changes[name]?.(value, member) : value));
    for (const line of [
      `group get ${groupId} --log`,
      "balance quote --type SMS --qty 10",
      "payment withdraw request --amount 10000 --confirm 10000 --again",
      "stats failures",
    ])
      expect(faultOf(line, await msg(`${line} -o tsv`))).toBeUndefined();
  },
);

test.each<[string, Change]>([
  ["is text", (value, name) => (name === "errorCount" ? String(value) : value)],
  ["is left out", (value, name) => (name === "errorCount" ? undefined : value)],
])("messages go into a group and out of it where the count of errors %s", async (_, way) => {
  change();
  const { groupId } = JSON.parse((await msg("group create --json")).out);
  change(way);
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

test.each(Object.keys(changes))(
  "a group that failed is sent again where the time that it was made at is %s",
  async (name) => {
    const url = opened.it?.url;
    change();
    const stdin = '[{"to":"01000000001","from":"0200000000","text":"a"}]';
    const { groupId } = JSON.parse((await msg("group create --json")).out);
    expect((await msg(`group add ${groupId} -`, { stdin })).code).toBe(0);
    expect((await msg(`sandbox set --quota 0 --base-url ${url}`)).code).toBe(0);
    const failed = await msg(`group send ${groupId} -y`);
    expect((await msg(`sandbox set --quota 100000 --base-url ${url}`)).code).toBe(0);
    change((value, member) => (member === "dateCreated" ? changes[name]?.(value, member) : value));
    const ran = await msg(`group resend ${groupId} -y -o tsv`);
    expect([failed.code, ran.code], failed.err + ran.err).toEqual([10, 0]);
  },
);

test("a balance that the answer lacks is not called high enough", async () => {
  for (const way of [changes.dropped, changes.null]) {
    change((value, name) => (name === "balance" && way ? way(value, name) : value));
    expect((await msg("balance --fail-below 1")).code).toBe(10);
  }
});

test("cards of a new account, whose amounts of recharge are 0, are put in order with the least", async () => {
  change((value, name) => (/^(minimumCash|rechargeTo)$/.test(name) ? 0 : value));
  const [{ _id }] = JSON.parse((await msg("payment list --json")).out);
  const ran = await msg(`payment priority ${_id} -y`);
  expect([ran.code, ran.err]).toEqual([0, expect.stringContaining("10,000 won when it is below")]);
  change();
  const balance = JSON.parse((await msg("balance --json")).out);
  expect(balance).toMatchObject({ minimumCash: 200, rechargeTo: 10_000 });
});

test("templates whose codes bear the service's own provider key show the same states", async () => {
  change((value) => (value === "biz" ? "providerA" : value));
  const documented = await msg("template list -o tsv");
  expect(documented.out).toContain("APPROVED");
  change((value) => (value === "biz" ? "daou" : value));
  expect(await msg("template list -o tsv")).toMatchObject({ code: 0, out: documented.out });
});

test("files whose addresses bear the service's own provider keys show the same", async () => {
  change();
  const documented = await msg("files list --all -o tsv");
  expect(documented.out).toContain("\tyes\t");
  change((value, name) => (name === "kakao" ? ownKeys(value) : value));
  expect(await msg("files list --all -o tsv")).toMatchObject({ code: 0, out: documented.out });
  change((_, name) => (name === "kakao" ? { daou: null, biztalk: null } : _));
  expect((await msg("files list --all -o tsv")).out).not.toContain("yes");
});

const ownKeys = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace("providerA", "daou").replace("providerB", "biztalk"));

test.each([
  ["message get M1", { messageList: { M1: null } }],
  ["message list", { messageList: [null] }],
  ["payment list", { payments: [null] }],
  ["channel categories", [null]],
])("%s reads no list in which something that is no record is a row", async (line, answer) => {
  const { url } = await service({ body: JSON.stringify(answer) });
  const { code, err } = await shell({ env: envOf(url) })(line);
  expect([code, err]).toEqual([10, expect.stringContaining("without the members of a result")]);
});
