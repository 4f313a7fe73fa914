/** Two persons: what is large goes out by a plan that another key approved; the books of the service are the judge. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { envFor, numbersOf, rowsOf, sending } from "../../faults/books.ts";
import { oneService } from "../../faults/one-service.ts";
import { type Options, shell } from "../../support/msg.ts";

const { opened: service, nextBatch } = oneService();

const person = (options: Options = {}) => shell({ ...options, env: envFor(service()) });

const keyOf = async (who: ReturnType<typeof person>): Promise<string> => {
  const ran = await who("profile key --json");
  expect(ran.code, ran.err).toBe(0);
  const { key = "" }: { key?: string } = JSON.parse(ran.out);
  return key;
};

/** Someone who plans on a profile that asks for approval, and someone who is listed there. */
const pair = async (rows = 3, settings = "approval=required") => {
  const first = nextBatch(rows);
  const planner = person();
  const approver = person();
  expect((await planner(`profile set ${settings}`)).code).toBe(0);
  const added = await planner(["profile", "approver", "add", "kim", await keyOf(approver)]);
  expect(added.code, added.err).toBe(0);
  const plan = async (name = "july.msgplan", text = "x", from = first): Promise<string> => {
    const file = join(planner.folder, name);
    const words = ["send-many", "-", "--from", "0200000000", "--text", text, "--plan-out", file];
    const ran = await planner(words, { stdin: rowsOf(rows, from) });
    expect(ran.code, ran.err).toBe(0);
    return file;
  };
  const approve = (file: string, who = approver) =>
    who(["run", "approve", file, "--confirm", String(rows), "--json"]);
  const send = (file: string, ...more: string[]) =>
    planner(["send-many", "--plan", file, "--json", ...more]);
  const sent = (): number =>
    service()
      .countsOf(numbersOf(rows, first))
      .reduce((a, b) => a + b, 0);
  return { planner, approver, plan, approve, send, sent, first, rows };
};

const refused = (ran: { code: number; err: string }, why: RegExp, sent: number): void => {
  expect({ code: ran.code, sent }, ran.err).toEqual({ code: 7, sent: 0 });
  expect(ran.err).toMatch(why);
};

test("without a plan, and with one that was not approved: refused with 7, nothing is sent", async () => {
  const { planner, plan, send, sent, first, rows } = await pair();
  const words = ["send-many", "-", "--from", "0200000000", "--text", "x", "-y", "--json"];
  const direct = await planner(words, { stdin: rowsOf(rows, first) });
  refused(direct, /only with an approved plan/, sent());
  refused(await planner("send-many --resume last -y --json"), /with an approved plan/, sent());
  refused(await send(await plan()), /needs the approval of another person/, sent());
});

test("approved by a listed key: sent exactly once, and the approval is used up with the plan", async () => {
  const { planner, plan, approve, send, sent } = await pair();
  const file = await plan();
  expect((await send(file)).code).toBe(7);
  const approval = await approve(file);
  expect(approval.json(), approval.err).toMatchObject({ messages: 3, cost: 60 });
  expect(statSync(`${file}.approval`).mode & 0o777).toBe(0o600);
  const ran = await send(file);
  expect(ran.json(), ran.err).toMatchObject({ accepted: 3 });
  expect(sent()).toBe(3);
  const shown = await planner("run show last --json");
  expect(shown.json(), shown.err).toMatchObject({ state: "done", accepted: 3 });
  for (const more of [[], ["--again"], ["-y"]]) expect((await send(file, ...more)).code).toBe(7);
  expect((await planner("run purge --older 0")).code).toBe(0);
  expect((await send(file)).code).toBe(7);
  expect((await send(file, "--again")).code).toBe(7);
  expect(sent()).toBe(3);
});

test("the question names what may go out in place of the messages, too", async () => {
  const { planner, approver, first } = await pair(1);
  const file = join(planner.folder, "kakao.msgplan");
  const kakao = "--template KA01TP260101000000000SANDBOX0004 --fallback-text closed";
  const words = ["send-many", "-", "--from", "0200000000", ...kakao.split(" "), "--plan-out", file];
  const planned = await planner(words, { stdin: rowsOf(1, first) });
  expect(planned.code, planned.err).toBe(0);
  const asked = await approver(["run", "approve", file], { answers: ["1"], tty: 120 });
  expect(asked.code, asked.err).toBe(0);
  expect(asked.questions.join()).toMatch(/^Approve 1 message for \d+ won, plus up to \d+ won for/);
});

test("replayed on another machine with the same settings: refused with 7", async () => {
  const { approver, plan, approve, send, sent } = await pair();
  const file = await plan();
  await approve(file);
  expect((await send(file)).code).toBe(0);
  const other = person();
  await other("profile set approval=required");
  await other(["profile", "approver", "add", "kim", await keyOf(approver)]);
  for (const more of [[], ["--again"]])
    expect((await other(["send-many", "--plan", file, "--json", ...more])).code).toBe(7);
  expect(sent()).toBe(3);
});

test("by a key of one's own, of whatever profile: refused with 7", async () => {
  const { planner, plan, approve, send, sent } = await pair();
  const file = await plan();
  await planner(["profile", "approver", "add", "me", await keyOf(planner)]);
  expect((await approve(file, planner)).code).toBe(0);
  refused(await send(file), /one of your own keys/, sent());
  const words = ["run", "approve", file, "--confirm", "3", "-p", "sandbox", "--json"];
  const second = JSON.parse((await planner("profile key -p sandbox --json")).out);
  await planner(["profile", "approver", "add", "me-too", second.key]);
  expect((await planner(words)).code).toBe(0);
  refused(await send(file), /one of your own keys/, sent());
});

test("by a key that is not listed, or not any more: refused with 7", async () => {
  const { planner, plan, approve, send, sent } = await pair();
  const file = await plan();
  expect((await approve(file, person())).code).toBe(0);
  refused(await send(file), /which is not an approver/, sent());
  expect((await approve(file)).code).toBe(0);
  expect((await planner("profile approver remove kim")).code).toBe(0);
  refused(await send(file), /which is not an approver/, sent());
});

test("of another plan, or of the same rows with another text: refused with 7", async () => {
  const { plan, approve, send, sent } = await pair();
  const approved = await plan("approved.msgplan");
  await approve(approved);
  const other = await plan("other.msgplan", "y");
  copyFileSync(`${approved}.approval`, `${other}.approval`);
  refused(await send(other), /its approval belongs to another plan/, sent());
  copyFileSync(other, approved);
  refused(await send(approved), /its approval belongs to another plan/, sent());
});

type Record = { digest: string; key: string; date: string; signature: string; msgapproval: 1 };

test.each<[string, (it: Record) => Partial<Record>, RegExp]>([
  [
    "a signature made up",
    () => ({ signature: Buffer.alloc(64).toString("base64url") }),
    /not signed by/,
  ],
  ["a signature of no length", () => ({ signature: "" }), /not signed by/],
  [
    "a later date",
    ({ date }) => ({ date: new Date(Date.parse(date) + 1).toISOString() }),
    /not signed by/,
  ],
  [
    "a signature by another key",
    ({ digest, key, date }) => {
      const { privateKey } = generateKeyPairSync("ed25519");
      const payload = Buffer.from(["msg approval 1", digest, 3, key, date].join("\n"));
      return { signature: sign(null, payload, privateKey).toString("base64url") };
    },
    /not signed by/,
  ],
])("forged (%s): refused with 7", async (_, forge, why) => {
  const { plan, approve, send, sent } = await pair();
  const file = await plan();
  await approve(file);
  const approval: Record = JSON.parse(readFileSync(`${file}.approval`, "utf8"));
  writeFileSync(`${file}.approval`, JSON.stringify({ ...approval, ...forge(approval) }));
  refused(await send(file), why, sent());
});

test("an approval that cannot be read is a clear error, and nothing is sent", async () => {
  const { plan, send, sent } = await pair();
  const file = await plan();
  for (const text of [
    "",
    "{}",
    '{"msgapproval":1,"digest":"x","key":"../..","date":"","signature":""}',
  ]) {
    writeFileSync(`${file}.approval`, text);
    const ran = await send(file);
    expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 2, sent: 0 });
    expect(ran.err).toContain("ApprovalNotReadable");
  }
  rmSync(`${file}.approval`);
  mkdirSync(`${file}.approval`);
  const ran = await send(file);
  expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 2, sent: 0 });
});

test("expired after 24 hours, and dated ahead: refused with 7", async () => {
  const { approver, plan, send, sent } = await pair();
  const file = await plan();
  const at = (ms: number): Options => ({ now: () => new Date(Date.now() + ms) });
  const hours = 60 * 60_000;
  const words = ["run", "approve", file, "--confirm", "3"];
  expect((await approver(words, at(-24 * hours))).code).toBe(0);
  refused(await send(file), /older than 24 hours/, sent());
  expect((await approver(words, at(hours))).code).toBe(0);
  refused(await send(file), /is dated in the future/, sent());
  expect((await approver(words, at(-23 * hours))).code).toBe(0);
  expect((await send(file)).code).toBe(0);
});

test("a run that stopped halfway is resumed with a later approval next to its plan", async () => {
  const { planner, approver, plan, send, sent } = await pair();
  const file = await plan();
  const day = 24 * 60 * 60_000;
  const at = (ms: number): Options => ({ now: () => new Date(Date.now() + ms) });
  const words = ["run", "approve", file, "--confirm", "3"];
  expect((await approver(words, at(60_000 - day))).code).toBe(0);
  const fault = { on: "GET /messages/v4/groups/*", do: "status:503", times: 3 };
  const add = ["api", "POST", "/_sandbox/faults", "--input", "-", "-y"];
  expect((await planner(add, { stdin: JSON.stringify(fault) })).code).toBe(0);
  expect((await send(file)).code).toBe(10);
  const resume = () => planner("send-many --resume last --json", at(120_000));
  refused(await resume(), /older than 24 hours/, sent());
  expect((await approver(words)).code).toBe(0);
  const resumed = await resume();
  expect({ code: resumed.code, sent: sent() }, resumed.err).toEqual({ code: 0, sent: 3 });
});

test("bytes that were changed after the approval: refused, nothing is sent", async () => {
  const { plan, approve, send, sent } = await pair();
  const file = await plan();
  await approve(file);
  const bytes = readFileSync(file);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  refused(await send(file), /is not a plan, or is damaged/, sent());
});

test("other bytes with a digest of their own: refused with 7", async () => {
  const { plan, approve, send, sent } = await pair();
  const file = await plan();
  await approve(file);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n").slice(0, -1);
  const body = lines.map((it) => `${it.replace('"maxCost":null', '"maxCost":99')}\n`).join("");
  const digest = createHash("sha256").update(body).digest("hex");
  writeFileSync(file, gzipSync(`${body}{"digest":"${digest}"}\n`));
  refused(await send(file), /its approval belongs to another plan/, sent());
});

test("a wrong number signs nothing; no terminal and no number neither", async () => {
  const { approver, plan } = await pair();
  const file = await plan();
  expect((await approver(["run", "approve", file, "--confirm", "4"])).code).toBe(7);
  expect((await approver(["run", "approve", file])).code).toBe(2);
  expect(() => statSync(`${file}.approval`)).toThrow("ENOENT");
});

test.each([
  ["approval-above=3rows", 0],
  ["approval-above=2rows", 7],
  ["approval-above=60won", 0],
  ["approval-above=59won", 7],
  ["approval-above=2", 7],
])("with %s three rows for 60 won end with %i", async (above, code) => {
  const { planner, first, rows, sent } = await pair(3, `approval=required ${above}`);
  const words = ["send-many", "-", "--from", "0200000000", "--text", "x", "--json"];
  const ran = await planner(words, { stdin: rowsOf(rows, first) });
  expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code, sent: code === 0 ? 3 : 0 });
});

test("a plan that other machines could send again cannot be approved", async () => {
  const { planner, approve, send, sent, first, rows } = await pair();
  for (const flag of ["--direct", "--no-tag"]) {
    const file = join(planner.folder, `plan${flag}.msgplan`);
    const words = sending(flag, "--plan-out", file);
    expect((await planner(words, { stdin: rowsOf(rows, first) })).code).toBe(0);
    for (const ran of [await approve(file), await send(file)])
      refused(ran, /--direct or --no-tag cannot be approved/, sent());
    expect(() => statSync(`${file}.approval`)).toThrow("ENOENT");
  }
});

test("a plan that names no account cannot be approved: its rows could go out of another one", async () => {
  const { planner, plan, approve, send, sent } = await pair();
  const refuse = [
    "--base-url",
    service().baseUrl,
    "--on",
    "GET /cash/v1/balance",
    "--do",
    "status:403",
    "--times",
    "1",
  ];
  expect((await planner(["sandbox", "fault", "add", ...refuse])).code).toBe(0);
  const file = await plan();
  expect((await planner(["run", "show", file, "--json"])).json()).toMatchObject({ account: null });
  for (const ran of [await approve(file), await send(file)])
    refused(ran, /names no account/, sent());
});

test("approved for one account, sent from another one with the same settings: refused with 7", async () => {
  const { approver, plan, approve, sent } = await pair();
  const file = await plan();
  await approve(file);
  const env = { ...envFor(service()), MSG_API_KEY: "SANDBOXKEY000004" };
  const other = shell({ env: { ...env, MSG_API_SECRET: `SANDBOXSECRET${"4".padStart(19, "0")}` } });
  await other("profile set approval=required");
  await other(["profile", "approver", "add", "kim", await keyOf(approver)]);
  refused(
    await other(["send-many", "--plan", file, "--json"]),
    /it belongs to account 26010500000001, and this is 26010500000002/,
    sent(),
  );
});

test("profile key -n makes no key", async () => {
  const who = person();
  expect(await who("profile key -n")).toMatchObject({ code: 6, out: "" });
  expect(existsSync(join(who.folder, "config/credentials.json"))).toBe(false);
  const key = await keyOf(who);
  expect((await who("profile key -n")).out).toContain(key);
});

test("the approver's key, copied to the machine that sends, is one's own there: refused with 7", async () => {
  const { planner, approver, plan, send, sent } = await pair();
  const file = await plan();
  await planner("profile key");
  const path = (who: ReturnType<typeof person>) => join(who.folder, "config/credentials.json");
  const mine = JSON.parse(readFileSync(path(planner), "utf8"));
  const { approvalKeys } = JSON.parse(readFileSync(path(approver), "utf8"));
  const both = { ...mine.approvalKeys, sandbox: approvalKeys.default };
  writeFileSync(path(planner), JSON.stringify({ ...mine, approvalKeys: both }));
  const words = ["run", "approve", file, "--confirm", "3", "-p", "sandbox"];
  expect((await planner(words)).code).toBe(0);
  refused(await send(file), /one of your own keys/, sent());
});

test.each<[string, Readonly<{ [name: string]: unknown }>]>([
  ["a rule that is none", { approval: "requierd" }],
  ["a rule that is a switch", { approval: true }],
  ["a figure that is none", { approvalAbove: "many" }],
  ["a figure below nothing", { approvalAbove: "-1rows" }],
  ["a figure with an exponent", { approvalAbove: "1e9rows" }],
  ["a number", { approvalAbove: 1e9 }],
  ["an approver without a key", { approvers: { kim: "" } }],
  ["approvers as a list", { approvers: ["ed25519:"] }],
])("a profile edited by hand, %s: nothing goes out", async (_, edited) => {
  const { planner, plan, approve, send, sent } = await pair();
  const file = await plan();
  await approve(file);
  const path = join(planner.folder, "config/config.json");
  const stored = JSON.parse(readFileSync(path, "utf8"));
  const profiles = { ...stored.profiles, default: { ...stored.profiles.default, ...edited } };
  writeFileSync(path, JSON.stringify({ ...stored, profiles }));
  const ran = await send(file);
  expect([2, 7], ran.err).toContain(ran.code);
  expect(sent()).toBe(0);
});

test("the key of a profile goes with its name, is made once, and is never printed", async () => {
  const who = person();
  const key = await keyOf(who);
  expect(await keyOf(who)).toBe(key);
  const file = join(who.folder, "config/credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { approvalKeys } = JSON.parse(readFileSync(file, "utf8"));
  const ran = await who("profile key --debug");
  expect(ran.out + ran.err).not.toContain(approvalKeys.default);
});

test.each(["kim", "ed25519:short", `ed25519:${"x".repeat(44)}`, "ssh-ed25519 AAAA"])(
  "%s is not a public key",
  async (key) => {
    const ran = await person()(["profile", "approver", "add", "kim", key]);
    expect(ran.code).toBe(2);
  },
);
