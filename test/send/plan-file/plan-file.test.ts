/** A plan that is kept in a file: sent as it is, once, or not at all; the books of the service are the judge. */
import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { diskFiles } from "../../../src/durable/files.ts";
import { envFor, numbersOf, rowsOf } from "../../faults/books.ts";
import { oneService } from "../../faults/one-service.ts";
import { shell } from "../../support/msg.ts";
import { keyEnv } from "../../support/signer.ts";

const { opened: service, nextBatch } = oneService();

/** Over HTTP, as another machine would reach it. */
const machine = () => shell({ env: envFor(service()) });

const text = "안녕하세요";
const planned = async (rows = 3, flags: readonly string[] = []) => {
  const msg = machine();
  const file = join(msg.folder, "july.msgplan");
  const first = nextBatch(rows);
  const words = ["send-many", "-", "--from", "0200000000", "--text", text, "--plan-out", file];
  const ran = await msg([...words, ...flags, "--json"], { stdin: rowsOf(rows, first) });
  expect(ran.code, ran.err).toBe(0);
  const sent = () => service().countsOf(numbersOf(rows, first));
  return {
    msg,
    file,
    ran,
    sent,
    send: (...more: string[]) => msg(["send-many", "--plan", file, ...more, "--json"]),
  };
};

test("a plan is a private file that anyone can show and unpack, and nothing was sent", async () => {
  const { msg, file, ran, sent } = await planned();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(ran.json()).toMatchObject({ plan: file, messages: 3, cost: 60, state: "planned" });
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  expect(lines[1]).toContain(text);
  const elsewhere = shell();
  const shown = await elsewhere(["run", "show", file, "--json"]);
  expect(shown.json()).toMatchObject({ messages: 3, cost: 60, key: "0001", types: { SMS: 3 } });
  expect((await msg("run list --json")).json()).toEqual([]);
  expect(sent()).toEqual([0, 0, 0]);
});

test("a body takes as many of the longest messages as 14 MB hold", async () => {
  const msg = shell();
  const file = join(msg.folder, "long.msgplan");
  const words = ["send-many", "-", "--sandbox", "--from", "0200000000", "--plan-out", file];
  const numbers = Array.from({ length: 5_000 }, (_, at) => `010${30_000_000 + at}`);
  const ran = await msg([...words, "--text", "가".repeat(1_000)], {
    stdin: `to\n${numbers.join("\n")}\n`,
  });
  expect(ran.code, ran.err).toBe(0);
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split("\n");
  const bodies = lines.slice(1, -1).map((line) => ({
    bytes: Buffer.byteLength(line),
    rows: JSON.parse(line).messages.length,
  }));
  const [full = { bytes: 0, rows: 0 }] = bodies;
  expect(bodies.map(({ rows }) => rows)).toEqual([full.rows, 5_000 - full.rows]);
  // One more would not fit.
  expect(full.bytes).toBeLessThanOrEqual(14_000_000);
  expect(full.bytes + full.bytes / full.rows).toBeGreaterThan(14_000_000);
});

test("a plan whose name has a blank is named as a shell takes it", async () => {
  const msg = machine();
  const file = join(msg.folder, "our plan.msgplan");
  const words = ["send-many", "-", "--from", "0200000000", "--text", text, "--plan-out", file];
  const ran = await msg(words, { stdin: rowsOf(1, nextBatch(1)) });
  expect(ran.err).toContain(`msg run show '${file}' shows the plan`);
  expect(ran.err).toContain(`msg send-many --plan '${file}' sends it`);
});

test("the name of the run's folder is on the disk before anything of the plan is sent", async () => {
  const { msg, file, sent } = await planned();
  const done: string[] = [];
  const runs = join(msg.folder, "state/runs");
  const files: typeof diskFiles = {
    ...diskFiles,
    rename: (from, to) => {
      diskFiles.rename(from, to);
      if (dirname(to) === runs && /^\d{8}-/.test(basename(to))) done.push("rename");
    },
    openFolder: (path) => {
      if (path === runs) done.push("sync");
      return diskFiles.openFolder(path);
    },
  };
  const ran = await msg(["send-many", "--plan", file, "--json"], { files });
  expect([ran.code, sent()], ran.err).toEqual([0, [1, 1, 1]]);
  expect(done.slice(done.indexOf("rename"))).toEqual(["rename", "sync"]);
});

test.each([0, 1, 2, 3])(
  "of three who send a plan of one machine at once one does, the others are told so: time %i",
  async (time) => {
    const { send, sent } = await planned();
    const begun = async (at: number) => {
      await delay(at * 12 * time);
      return send();
    };
    const ran = await Promise.all([0, 1, 2].map(begun));
    expect(sent()).toEqual([1, 1, 1]);
    const [done, ...others] = ran.sort((one, other) => one.code - other.code);
    expect(done?.code, done?.err).toBe(0);
    for (const { code, err } of others) {
      expect(code, err).toBe(7);
      expect(err).toMatch(/"code":"(PlanSent|RunInUse)"/);
    }
  },
);

test("a plan sends exactly its bytes, once", async () => {
  const { file, send, sent } = await planned();
  const body = gunzipSync(readFileSync(file)).toString().split("\n")[1] ?? "";
  const ran = await send();
  expect(ran.json(), ran.err).toMatchObject({ state: "done", accepted: 3, cost: 60 });
  expect(sent()).toEqual([1, 1, 1]);
  const { run = "" } = JSON.parse(ran.out);
  const messages: readonly { customFields: object }[] = JSON.parse(body).messages;
  expect(messages.map((it) => it.customFields)).toEqual(
    [1, 2, 3].map((row) => ({ "msg.run": run, "msg.row": `${row}` })),
  );
  const again = await send("--again");
  expect(again.code).toBe(7);
  expect(again.err).toContain("PlanSent");
  expect(sent()).toEqual([1, 1, 1]);
});

test("a plan whose run is damaged is not sent, and leads to what rebuilds the run", async () => {
  const { msg, send, sent } = await planned();
  const { run = "" } = JSON.parse((await send()).out);
  writeFileSync(join(msg.folder, "state/runs", run, "run.json"), "");
  const again = await send();
  expect([again.code, again.err]).toEqual([
    11,
    expect.stringContaining(`msg run reconcile ${run}`),
  ]);
  expect((await msg(`run reconcile ${run}`)).code).toBe(0);
  expect((await send()).err).toContain("PlanSent");
  expect(sent()).toEqual([1, 1, 1]);
});

test("on another machine, and behind a purge, the groups say that it was sent", async () => {
  const { msg, file, send, sent } = await planned();
  expect((await send()).code).toBe(0);
  const other = await machine()(["send-many", "--plan", file, "--json"]);
  expect({ code: other.code, sent: sent() }, other.err).toEqual({ code: 7, sent: [1, 1, 1] });
  expect((await msg("run purge --older 0")).code).toBe(0);
  for (const more of [[], ["--again"]]) {
    const purged = await send(...more);
    expect({ code: purged.code, sent: sent() }, purged.err).toEqual({ code: 7, sent: [1, 1, 1] });
  }
});

const twisted: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  "cut in the middle": (bytes) => bytes.subarray(0, bytes.length / 2),
  "one bit flipped": (bytes) => {
    const at = Math.floor(bytes.length / 2);
    return Buffer.from(bytes.map((it, index) => (index === at ? it ^ 1 : it)));
  },
  "something behind it": (bytes) => Buffer.concat([bytes, Buffer.from("x")]),
  "a text edited": (bytes) => edited(bytes, (it) => it.replace(text, "안녕하십니까")),
  "a price edited": (bytes) => edited(bytes, (it) => it.replace('"price":60', '"price":20')),
  "a line left out": (bytes) => edited(bytes, (it) => it.split("\n").toSpliced(1, 1).join("\n")),
  empty: () => Buffer.alloc(0),
  "no plan at all": () => Buffer.from("to,text\n"),
};
const edited = (bytes: Buffer, edit: (text: string) => string): Buffer =>
  gzipSync(edit(gunzipSync(bytes).toString()));

test.each(Object.keys(twisted))("%s: refused with 2, nothing is sent", async (name) => {
  const { msg, file, send, sent } = await planned();
  writeFileSync(file, twisted[name]?.(readFileSync(file)) ?? "");
  for (const ran of [await send(), await msg(["run", "show", file])]) {
    expect({ code: ran.code, name }, ran.err).toEqual({ code: 2, name });
    expect(ran.err).toMatch(/PlanNotReadable|is not a plan, or is damaged/);
  }
  expect(sent()).toEqual([0, 0, 0]);
  expect((await msg("run list --json")).json()).toEqual([]);
});

/** Lines with a digest of their own: whole as a file, and untrue. */
const forged = (bytes: Buffer, forge: (lines: string[]) => string[]): Buffer => {
  const lines = forge(gunzipSync(bytes).toString().trimEnd().split("\n").slice(0, -1));
  const body = lines.map((it) => `${it}\n`).join("");
  const digest = createHash("sha256").update(body).digest("hex");
  return gzipSync(`${body}{"digest":"${digest}"}\n`);
};

test.each([
  ["fewer messages", (header: string) => header.replace('"messages":3', '"messages":2')],
  [
    "another claim",
    (header: string) => header.replace(/"claim":"[0-9a-f]{8}/, '"claim":"00000000'),
  ],
  ["a path for an id", (header: string) => header.replace(/"run":"20/, '"run":"../20')],
  ["no correlation ids", (header: string) => header.replace('"tagged":true', '"tagged":false')],
  [
    "a part, for whose whole ceilings and approval count",
    (header: string) =>
      header.replace(
        '"messages":3',
        '"part":{"index":1,"of":2,"messages":1,"price":0},"messages":3',
      ),
  ],
  [
    "the run that another machine began",
    (header: string) => header.replace('"messages":3', '"takesOver":"20260101-1","messages":3'),
  ],
])("a header that was forged (%s) is found out by the bodies", async (_, forge) => {
  const { file, send, sent } = await planned();
  writeFileSync(
    file,
    forged(readFileSync(file), ([header = "", ...more]) => [forge(header), ...more]),
  );
  const ran = await send();
  expect({ code: ran.code, sent: sent() }, ran.err).toEqual({ code: 2, sent: [0, 0, 0] });
});

const prices = (from: string, to: string): void => {
  service().rows(`UPDATE prices SET units = replace(units, '${from}', '${to}')`);
};

test("another price than planned is refused with 7 and named", async () => {
  const { msg, send, sent } = await planned();
  prices('"sms":20', '"sms":21');
  const ran = await send();
  prices('"sms":21', '"sms":20');
  expect(ran.code, ran.err).toBe(7);
  expect(ran.err).toContain("planned for 60 won, and now costs 63 won");
  expect(sent()).toEqual([0, 0, 0]);
  expect((await msg("run list --json")).json()).toEqual([]);
  expect((await send()).code).toBe(0);
});

test("too small a balance, quota or ceiling stops it with 7, and the same plan goes out later", async () => {
  const { msg, send, sent } = await planned();
  const stopped = await send("--max-cost", "59");
  expect({ code: stopped.code, sent: sent() }, stopped.err).toEqual({ code: 7, sent: [0, 0, 0] });
  expect(stopped.err).toContain("--plan");
  const resumed = await msg("send-many --resume last --json");
  expect({ code: resumed.code, sent: sent() }, resumed.err).toEqual({ code: 2, sent: [0, 0, 0] });
  service().rows("UPDATE accounts SET balance = 0, point = 0");
  const poor = await send();
  expect(poor.code, poor.err).toBe(7);
  service().rows("UPDATE accounts SET balance = 1000000, point = 5000");
  expect((await send()).code).toBe(0);
  expect(sent()).toEqual([1, 1, 1]);
});

test("a plan of another account is refused with 7", async () => {
  const { file, sent } = await planned();
  const env = { ...envFor(service()), ...keyEnv(4) };
  const ran = await shell({ env })(["send-many", "--plan", file, "--json"]);
  expect(ran.code, ran.err).toBe(7);
  expect(ran.err).toContain("OtherAccount");
  expect(sent()).toEqual([0, 0, 0]);
});

test.each([
  ['"https://api.example.test"', 7, "it was made for https://api.example.test, and this is http:"],
  ['"http://127.0.0.1:1"', 0, ""],
  ["null", 0, ""],
])(
  "a plan that was made at %s: exit %i here, on a sandbox of this machine",
  async (was, code, said) => {
    const { file, send, sent } = await planned();
    const move = (header = "") => header.replace(/"baseUrl":"[^"]*"/, `"baseUrl":${was}`);
    writeFileSync(
      file,
      forged(readFileSync(file), ([first, ...more]) => [move(first), ...more]),
    );
    const ran = await send();
    expect([ran.code, ran.err], ran.err).toEqual([code, expect.stringContaining(said)]);
    expect(sent()).toEqual(Array(3).fill(code === 0 ? 1 : 0));
  },
);

test("a plan whose hour has passed is refused with 7", async () => {
  const msg = shell();
  const file = join(msg.folder, "later.msgplan");
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const words = ["send-many", "-", "--sandbox", "--from", "0200000000", "--text", "x", "--at", at];
  expect((await msg([...words, "--plan-out", file], { stdin: rowsOf(1) })).code).toBe(0);
  expect((await msg("sandbox clock advance 2h --sandbox")).code).toBe(0);
  const ran = await msg(["send-many", "--plan", file, "--sandbox", "--json"]);
  expect(ran.code, ran.err).toBe(7);
  expect(ran.err).toContain("the plan is out of date: the run was scheduled for");
});

test("a template that was changed since is refused with 7 and named", async () => {
  const msg = machine();
  const file = join(msg.folder, "kakao.msgplan");
  const template = "KA01TP260101000000000SANDBOX0001";
  const words = ["send-many", "-", "--from", "0200000000", "--template", template];
  const got = await msg(["template", "get", template, "--json"]);
  const names = [...got.out.matchAll(/#\{([^}]+)\}/g)].map(([, name]) => name ?? "");
  const header = ["to", ...new Set(names)];
  const row = header.map((name) => (name === "to" ? "01050000991" : "x"));
  const stdin = `${header.join()}\n${row.join()}\n`;
  const ran = await msg([...words, "--plan-out", file, "--json"], { stdin });
  expect(ran.code, ran.err).toBe(0);
  const sample = await msg(["run", "show", file, "--sample", "1", "--json"]);
  expect(sample.out).not.toContain("#{");
  service().rows(`UPDATE templates SET content = content || '!' WHERE templateId = '${template}'`);
  const sent = await msg(["send-many", "--plan", file, "--json"]);
  expect(sent.code, sent.err).toBe(7);
  expect(sent.err).toMatch(/the template '.*' has another text or other buttons/);
  expect(service().countsOf(["01050000991"])).toEqual([0]);
});

test("a plan does not take a secret, in whatever form, and leaves no file", async () => {
  const msg = machine();
  const secret = `SANDBOXSECRET${"0".repeat(19)}`;
  for (const form of [secret, Buffer.from(secret).toString("base64")]) {
    const file = join(msg.folder, "secret.msgplan");
    const words = ["send-many", "-", "--from", "0200000000", "--text", `코드 ${form}`];
    const ran = await msg([...words, "--plan-out", file, "--json"], { stdin: rowsOf(1, 900) });
    expect(ran.code, ran.err).toBe(2);
    expect(ran.err).toContain("SecretInPlan");
    expect(ran.err).not.toContain(secret);
    expect(() => statSync(file)).toThrow("ENOENT");
  }
});

test("a file that is there is not replaced; a name without the ending is refused", async () => {
  const { msg, file } = await planned();
  const before = readFileSync(file);
  for (const name of [file, join(msg.folder, "plan.txt")]) {
    const words = ["send-many", "-", "--from", "0200000000", "--text", "x", "--plan-out", name];
    expect((await msg(words, { stdin: rowsOf(1) })).code).toBe(2);
  }
  expect(readFileSync(file)).toEqual(before);
});

test("a folder that cannot be written leaves nothing", async () => {
  const msg = machine();
  const words = ["send-many", "-", "--from", "0200000000", "--text", "x"];
  const file = join(msg.folder, "nowhere", "july.msgplan");
  const ran = await msg([...words, "--plan-out", file], { stdin: rowsOf(1) });
  expect(ran.code).toBe(2);
  expect((await msg("run list --json")).json()).toEqual([]);
});

test("what changed between two plans: texts, rows that came and went, and the price", async () => {
  const msg = machine();
  const words = ["send-many", "-", "--from", "0200000000"];
  const [one, two] = ["one.msgplan", "two.msgplan"].map((it) => join(msg.folder, it));
  const before = "to,text\n01050001001,가\n01050001002,나\n01050001003,다\n";
  const after = "to,text\n01050001002,나\n01050001003,라\n01050001004,마\n01050001005,바\n";
  await msg([...words, "--plan-out", one ?? ""], { stdin: before });
  await msg([...words, "--plan-out", two ?? ""], { stdin: after });
  const ran = await msg(["run", "show", two ?? "", "--diff", one ?? "", "--json"]);
  expect(ran.json(), ran.err).toEqual([
    { what: "total", before: 3, after: 4 },
    { what: "messages", before: 3, after: 4 },
    { what: "types", before: { SMS: 3 }, after: { SMS: 4 } },
    { what: "cost", before: 60, after: 80 },
    { what: "rowsOfRequest", before: 3, after: 4 },
    { what: "rows added", before: null, after: 2 },
    { what: "rows removed", before: null, after: 1 },
    { what: "rows changed", before: null, after: 1 },
    ...[
      { what: "removed: 01050001001", before: "가", after: null },
      { what: "changed: 01050001003", before: "다", after: "라" },
      { what: "added: 01050001004", before: null, after: "마" },
      { what: "added: 01050001005", before: null, after: "바" },
    ],
  ]);
});

test("a dry run of a plan shows it and leaves it to be sent", async () => {
  const { msg, send, sent } = await planned();
  const ran = await send("-n");
  expect(ran.json(), ran.err).toMatchObject({ plan: { messages: 3, cost: 60 } });
  expect((await msg("run list --json")).json()).toEqual([]);
  expect((await send()).code).toBe(0);
  expect(sent()).toEqual([1, 1, 1]);
});

test.each([
  ["--plan x.msgplan list.csv", "takes its rows from the plan"],
  ["--plan x.msgplan --text y", "--text and --plan exclude each other"],
  ["--plan x.msgplan --plan-out y.msgplan", "exclude each other"],
  ["- --plan-out y.msgplan --wait", "--wait and --plan-out exclude each other"],
])("send-many %s is refused", async (line, said) => {
  const ran = await machine()(`send-many ${line}`, { stdin: rowsOf(1) });
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(said);
});
