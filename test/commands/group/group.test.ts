import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import readXlsxFile from "read-excel-file/node";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../../src/output/text/width.ts";
import { hurried } from "../../support/clock.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { envOf } from "../../support/signer.ts";
import { fault } from "../run/in-doubt.ts";

const rows = (...numbers: readonly string[]): string =>
  JSON.stringify(numbers.map((to) => ({ to, text: "hello" })));

const from = "--from 0200000000 --sandbox";

/** A group with these recipients; the answer of time is instant unless a tick is named. */
const filled = async (msg: Shell, numbers: readonly string[], tick = "0ms"): Promise<string> => {
  await msg(`sandbox set --tick ${tick}`);
  const groupId = (await msg("group create --sandbox -q")).out.trim();
  await msg(`group add ${groupId} - ${from}`, { stdin: rows(...numbers) });
  return groupId;
};

describe("group add", () => {
  test("source and body flags of send-many; the refused ones are told, exit 3", async () => {
    const msg = shell();
    const groupId = (await msg("group create --sandbox -q")).out.trim();
    writeFileSync(
      join(msg.folder, "a.csv"),
      "phone,name\n01000000001,Kim\n01000001060,Lee\n01000000001,Kim\n",
    );
    const source = `${join(msg.folder, "a.csv")} --map to=phone`;
    const ran = await msg([
      "group",
      "add",
      groupId,
      ...`${source} ${from} --json`.split(" "),
      "--text",
      "#{name}님",
    ]);
    expect(ran.code).toBe(3);
    expect(ran.json()).toMatchObject({
      errorCount: 1,
      resultList: [{ statusCode: "2000" }, { statusCode: "1060", to: "01000001060" }],
    });
    expect(ran.err).toContain("skipped row 3");
    const listed = await msg(`group messages ${groupId} --sandbox --json`);
    expect(listed.json()).toMatchObject([{ text: "Lee님" }, { text: "Kim님" }]);
  });

  test("where all of them are refused, nothing says that others were added", async () => {
    const msg = shell();
    const groupId = (await msg("group create --sandbox -q")).out.trim();
    const ran = await msg(`group add ${groupId} - ${from} --json`, { stdin: rows("01000001060") });
    const { error } = JSON.parse(ran.err);
    expect([ran.code, error.outcome]).toEqual([3, "refused"]);
    expect(error.hint).toBe(`see what the group holds: msg --sandbox group messages ${groupId}`);
  });

  test("more than 10,000 rows go in several calls, in their order", async () => {
    const msg = shell();
    const numbers = Array.from({ length: 10_050 }, (_, at) => `0102${String(at).padStart(7, "0")}`);
    const groupId = await filled(msg, []);
    const added = await msg(`group add ${groupId} - ${from}`, { stdin: rows(...numbers) });
    expect([added.code, added.err, added.out]).toEqual([0, "", "10050\t10050\t0\n"]);
    const group = (await msg(`group get ${groupId} --sandbox --json`)).json();
    expect(group).toMatchObject({ count: { total: 10_050, registeredSuccess: 10_050 } });
    const first = await msg(`group messages ${groupId} --sandbox --limit 1 --fields to`);
    expect(first.out.trim()).toBe(numbers.at(-1));
  });

  test("a whole body of the call is read as by send-many, and what is of the group is said", async () => {
    const msg = shell();
    const groupId = (await msg("group create --sandbox -q --allow-duplicates")).out.trim();
    const stdin = (strict: boolean, text: string) =>
      `{"strict":${strict},"messages":[{"to":"01000000001","text":"${text}"},{"to":"01000000001","text":"b"}],"agent":{"sdkVersion":"shop/1"},"allowDuplicates":true}`;
    const added = await msg(`group add ${groupId} - ${from}`, { stdin: stdin(true, "a") });
    expect([added.code, added.out]).toEqual([0, "2\t2\t0\n"]);
    expect(added.err).toBe(
      "ignored from the source: strict, allowDuplicates, agent; these are set by msg --sandbox group create\n",
    );
    const refused = await msg(`group add ${groupId} - ${from}`, { stdin: stdin(true, "똠") });
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("row 1")]);
    expect((await msg(`group add ${groupId} - ${from}`, { stdin: stdin(false, "똠") })).code).toBe(
      0,
    );
  });

  test("a wrong row stops it before anything is added; -n shows the first call", async () => {
    const msg = shell();
    const groupId = await filled(msg, []);
    const stopped = await msg(`group add ${groupId} - ${from}`, {
      stdin: rows("12", "01000000001"),
    });
    expect(stopped.code).toBe(2);
    const shown = await msg(`group add ${groupId} - ${from} -n --json`, {
      stdin: rows("01000000001"),
    });
    expect(shown.json()).toMatchObject({
      method: "PUT",
      body: { messages: [{ to: "01000000001" }] },
    });
    const group = (await msg(`group get ${groupId} --sandbox --json`)).json();
    expect(group).toMatchObject({ count: { total: 0 } });
  });
});

describe("group send", () => {
  test("says count and cost and asks; no is exit 7, nobody to ask exit 2", async () => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001", "01000000002"]);
    const declined = await msg(`group send ${groupId} --sandbox`, { answers: ["n"] });
    expect([declined.code, declined.questions]).toEqual([
      7,
      [`Send group ${groupId}: 2 messages for 40 won?`],
    ]);
    expect((await msg(`group send ${groupId} --sandbox`)).code).toBe(2);
    const agreed = await msg(`group send ${groupId} --sandbox --json`, { answers: ["y"] });
    expect(agreed.json()).toMatchObject({ status: "SENDING", point: { requested: 40 } });
  });

  test.each<[string, string, number, string]>([
    ["drop-after", "the record says that it was sent", 0, ""],
    ["drop-before", "the record is PENDING, which proves nothing", 11, "run it again"],
  ])("without an answer (%s): %s", async (what, _, code, hint) => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001"], "1s");
    await fault(msg, "POST /messages/v4/groups/*", what, "--times", "1");
    const ran = await msg(`group send ${groupId} -y --sandbox --json`);
    expect([ran.code, ran.err], ran.err).toEqual([code, expect.stringContaining(hint)]);
    if (code === 0) expect(ran.json()).toMatchObject({ groupId, status: "SENDING" });
    const point = code === 0 ? 4980 : 5000;
    expect((await msg("balance --sandbox --json")).json()).toMatchObject({ point });
  });

  test("twice: the second is exit 10 with GroupInProcessing, then AlreadySent, and one charge", async () => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001"], "1s");
    expect((await msg(`group send ${groupId} -y --sandbox`)).code).toBe(0);
    const again = await msg(`group send ${groupId} -y --sandbox --json`);
    expect([again.code, again.err]).toEqual([10, expect.stringContaining("GroupInProcessing")]);
    await msg("sandbox clock advance 1m");
    const late = await msg(`group send ${groupId} -y --sandbox --json`);
    expect([late.code, late.err]).toEqual([10, expect.stringContaining("AlreadySent")]);
    expect((await msg("balance --sandbox --json")).json()).toMatchObject({ point: 4980 });
  });

  test("a ceiling stops it before it is sent, exit 7", async () => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001", "01000000002"]);
    const dear = await msg(`group send ${groupId} -y --sandbox --max-cost 39`);
    expect([dear.code, dear.err]).toEqual([7, expect.stringContaining("40 won")]);
    expect((await msg(`group send ${groupId} -y --sandbox --max-recipients 1`)).code).toBe(7);
    expect((await msg(`group send ${groupId} -y --sandbox --max-cost 40`)).code).toBe(0);
  });
});

describe("group wait", () => {
  test("0 when all arrived, 3 when some did not, 10 for a group that failed, 8 when time is over", async () => {
    const msg = shell();
    const waited = async (numbers: readonly string[], tick?: string, before = "send") => {
      const groupId = await filled(msg, numbers, tick);
      await msg(`group ${before} ${groupId} -y --sandbox`);
      return (await msg(`group wait ${groupId} --within 0 --sandbox`)).code;
    };
    expect(await waited(["01000000001"])).toBe(0);
    expect(await waited(["01000000001", "01000003104"])).toBe(3);
    expect(await waited(["01000000001"], "1h")).toBe(8);
    expect(await waited(["01000000001"], "0ms", "delete")).toBe(10);
    expect((await msg("group wait x --within soon --sandbox")).code).toBe(2);
  });

  test("a lost connection is waited for, until the time is over", async () => {
    const msg = shell(hurried());
    const groupId = await filled(msg, ["01000000001"]);
    await msg(`group send ${groupId} -y --sandbox`);
    const wait = `group wait ${groupId} --sandbox --within 60s`;
    await fault(msg, "GET /messages/v4/groups/*", "drop-before", "--times", "9");
    const { code, err } = await msg(wait);
    expect(code, err).toBe(0);
    expect(err).toContain("the connection broke");
    await fault(msg, "GET /messages/v4/groups/*", "drop-before", "--times", "1000");
    expect((await msg(wait)).code).toBe(9);
  });

  test("of a group that was not sent nothing is on the way, and it says what sends it", async () => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001"]);
    const { code, err } = await msg(`group wait ${groupId} --within 0 --sandbox`);
    expect([code, err]).toEqual([8, expect.stringContaining("0 failed, 0 on the way")]);
    expect(err).toContain(`it was not sent yet: msg --sandbox group send ${groupId} sends it`);
  });

  test("what it says while it waits fits into a line of the terminal, in Korean too", async () => {
    const columns = 40;
    const msg = shell({ tty: columns, env: { MSG_LANG: "ko" } });
    const groupId = await filled(msg, ["01000000001"], "1h");
    await msg(`group send ${groupId} -y --sandbox`);
    const { err } = await msg(`group wait ${groupId} --within 0 --sandbox`);
    const [, line = ""] = err.split("\u001b[K")[0]?.split("\r") ?? [];
    expect(line).toContain("그룹");
    expect(displayWidth(line)).toBeLessThan(columns);
  });
});

describe("group schedule", () => {
  test("the same command schedules and changes; unschedule opens the group again", async () => {
    const msg = shell({ env: { MSG_TZ: "Asia/Seoul" } });
    await msg("sandbox reset --seed 1");
    const groupId = await filled(msg, ["01000000001"]);
    const schedule = (when: string) =>
      msg(["group", "schedule", groupId, when, "--sandbox", "--json"]);
    expect((await schedule("2026-02-01 09:00")).json()).toMatchObject({
      status: "SCHEDULED",
      scheduledDate: "2026-02-01T00:00:00.000Z",
    });
    expect((await schedule("2026-02-02")).json()).toMatchObject({
      scheduledDate: "2026-02-01T15:00:00.000Z",
    });
    await msg("profile set max-cost 19 -p sandbox");
    expect((await schedule("2026-02-03")).err).toContain("CostAboveCeiling");
    await msg("profile unset max-cost -p sandbox");
    const open = await msg(`group unschedule ${groupId} --sandbox --json`);
    expect(open.json()).toMatchObject({ status: "PENDING" });
    expect(open.json()).not.toHaveProperty("scheduledDate");
    expect((await schedule("soon")).code).toBe(2);
  });

  test.each([
    ["1d", "SchedulePast"],
    ["9999-12-31", "ScheduleTooFar"],
  ])("%s is refused before the service is asked, exit 2", async (when, code) => {
    const msg = shell();
    const ran = await msg(`group schedule G4V0 ${when} --sandbox --json`);
    expect([ran.code, JSON.parse(ran.err).error.code]).toEqual([2, code]);
  });
});

describe("the rest of a group", () => {
  test("remove: what is not there is told, exit 3; delete; list; get --log", async () => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001", "01000000002"]);
    const ids = (await msg(`group messages ${groupId} --sandbox --fields messageId`)).out;
    const first = ids.split("\n")[0];
    const removed = await msg(`group remove ${groupId} ${first} M4V0 --sandbox`);
    expect([removed.code, removed.out]).toEqual([3, `${groupId}\t1\t1\n`]);
    expect((await msg(`group delete ${groupId} --sandbox -q`)).out.trim()).toBe(groupId);
    const listed = await msg("group list --sandbox --json --fields groupId,status,count.total");
    expect(listed.json()).toEqual([{ groupId, status: "DELETED", count: { total: 1 } }]);
    const brief = await msg(`group get ${groupId} --log --fields message --sandbox`);
    expect(brief.out).toMatch(/message group created/);
    expect(brief.out).not.toMatch(/\t/);
    const unknown = await msg(`group get ${groupId} --log --fields status --sandbox`);
    expect([unknown.code, unknown.err]).toMatchObject([2, expect.stringContaining("createAt")]);
    expect((await msg(`group get ${groupId} --no-log --fields status --sandbox`)).code).toBe(0);
    const log = await msg(`group get ${groupId} --log --sandbox --json`);
    expect(log.json()).toMatchObject([
      { message: "[127.0.0.1] message group created" },
      { message: "country(82) SMS 2 message(s) added" },
      { message: "message group deleted" },
    ]);
  });

  test("send of what the quota stops is exit 10, resend sends it; of another account's group it is exit 5", async () => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001"]);
    await msg("sandbox set --quota 0");
    const stopped = await msg(`group send ${groupId} -y --sandbox --json`);
    expect([stopped.code, stopped.json()], stopped.err).toMatchObject([10, { status: "FAILED" }]);
    expect(JSON.parse(stopped.err).error).toMatchObject({
      ...{ code: "FailedGroup", outcome: "refused", exitCode: 10 },
      message: "the group is FAILED: nothing of it was sent",
    });
    const capped = await msg(`group resend ${groupId} -y --sandbox --max-cost 1`);
    expect([capped.code, capped.err]).toEqual([7, expect.stringContaining("is not known")]);
    const asked = await msg(`group resend ${groupId} --sandbox`, { answers: ["y"] });
    expect([asked.code, asked.questions]).toEqual([
      0,
      [`Send group ${groupId} again: up to 1 message?`],
    ]);
    const foreign = await msg(`group get ${groupId} -p sandbox:unverified`);
    const words = expect.stringContaining("an active member, a record of this account; see");
    expect([foreign.code, foreign.err]).toEqual([5, words]);
    expect((await msg("group get G4V0 --sandbox")).code).toBe(6);
  });

  test("export saves a spreadsheet, never over another file without --force", async () => {
    const msg = shell();
    const groupId = await filled(msg, ["01000000001"]);
    const path = join(msg.folder, "groups.xlsx");
    expect((await msg(`group export ${path} --sandbox`)).code).toBe(0);
    const [sheet] = await readXlsxFile(path);
    expect(sheet?.data[1]?.[0]).toBe(groupId);
    const before = readFileSync(path);
    expect((await msg(`group export ${path} --sandbox`)).code).toBe(2);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect((await msg(`group export ${path} --sandbox --force`)).code).toBe(0);
    const other = await msg(`group export ${join(msg.folder, "groups.csv")} --sandbox`);
    expect([other.code, other.err]).toMatchObject([
      2,
      expect.stringMatching(/does not end in \.xlsx/),
    ]);
    expect(readdirSync(msg.folder)).not.toContain("groups.csv");
  });

  test("export says how many rows the spreadsheet may have, not how many a page", async () => {
    const msg = shell();
    const help = (await msg("group export --help")).out.replaceAll(/\s+/g, " ");
    expect(help).toContain("--limit <n> rows of the spreadsheet, 1 to 1,048,575; default: all");
    const path = join(msg.folder, "groups.xlsx");
    expect((await msg(`group export ${path} --sandbox --limit 1048576`)).code).toBe(10);
    expect((await msg(`group export ${path} --sandbox --limit 1048575`)).code).toBe(0);
  });

  test.each(["group export", "message export", "stats download"])(
    "%s of a network that answers with its sign-in page saves nothing",
    async (command) => {
      const server = createServer((_, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<html>sign in</html>");
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      const msg = shell({ env: envOf(`http://127.0.0.1:${port}`) });
      const ran = await msg(`${command} ${join(msg.folder, "saved.xlsx")}`);
      server.close();
      expect([ran.code, ran.err]).toMatchObject([
        10,
        expect.stringMatching(/text.html that cannot be read: <html>sign in/),
      ]);
      expect(readdirSync(msg.folder)).not.toContain("saved.xlsx");
    },
  );
});

test("a lost connection while waiting is said without what it means for a request", async () => {
  const env = { MSG_BASE_URL: "http://127.0.0.1:9", MSG_API_KEY: "K", MSG_API_SECRET: "secret" };
  const { code, err } = await shell({ env, ...hurried() })("group wait G1 --within 1s");
  const [note, ...error] = err.split("\n");
  expect([code, note]).toEqual([
    9,
    "no service answers at 127.0.0.1:9: the connection was refused",
  ]);
  expect(error.join("\n")).toContain("; nothing was changed");
});

test("what was deleted before it was sent is not in the statistics", async () => {
  const msg = shell();
  const groupId = await filled(msg, ["01000000001", "01000000002"]);
  const totals = async () => (await msg("stats --sandbox --json")).json();
  expect(await totals()).toMatchObject({ total: { total: 2 } });
  await msg(`group delete ${groupId} --sandbox -y`);
  expect(await totals()).toMatchObject({ total: { total: 0 } });
});
