/** Nothing that sends or moves money leaves without its guard: every endpoint of the contract, every command. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { beforeAll, describe, expect, test } from "vitest";
import { table } from "../../../src/commands/table.ts";
import type { Endpoint } from "../../../src/contract/endpoint.ts";
import { contract } from "../../../src/contract/index.ts";
import { errorOf } from "../../support/money.ts";
import { shell } from "../../support/msg.ts";

/** Writes that send nothing and move no money, and why. A new endpoint is declared with `spends`, or named here. */
const harmless: Readonly<Partial<Record<keyof typeof contract, string>>> = {
  createGroup: "an empty group",
  addGroupMessages: "fills a group; sending it is another call",
  deleteGroupMessages: "takes back",
  unscheduleGroup: "takes back",
  deleteGroup: "takes back",
  changeAlert: "a setting of notices",
  switchAlert: "a setting of notices",
  addPayment: "registers a card; charging it is another call",
  orderPayments: "the order of cards; what is charged, and when, is confirmed by typing it",
  removePayment: "takes back",
  toggleRecharge: "the service charges by itself later, up to a figure that was confirmed",
  addBankAccount: "registers an account; a withdrawal is another call",
  removeBankAccount: "takes back",
  createTemplate: "a text for review",
  updateTemplate: "a text for review",
  commentTemplate: "a remark",
  deleteTemplate: "takes back",
  hideTemplate: "a mark",
  requestReview: "a mark",
  requestLinkToken: "a code to link a channel",
  linkChannel: "links a channel",
  unlinkChannel: "takes back",
  authorize: "a login",
  getAccessToken: "a login",
  uploadFile: "stores a file",
  deleteFile: "takes back",
  requestQuota: "a request for review",
  setAppLive: "the stage of an app",
  createTemplateV2: "a text for review",
  updateTemplateV2: "a text for review",
  renameTemplateV2: "a name",
  deleteTemplateV2: "takes back",
  requestReviewV2: "a mark",
  cancelReviewV2: "takes back",
  cancelApprovalV2: "takes back",
  releaseDormantV2: "a mark",
  requestLinkTokenV2: "a code to link a channel",
  linkChannelV2: "links a channel",
  unlinkChannelV2: "takes back",
};

const endpoints = Object.entries<Endpoint>(contract);
const spending = endpoints.filter(([, it]) => it.spends !== undefined);

test("every write of the contract says what it spends, or why it spends nothing", () => {
  const undeclared = endpoints.filter(
    ([name, it]) => it.effect !== "safe" && it.spends === undefined && !(name in harmless),
  );
  expect(undeclared.map(([name]) => name)).toEqual([]);
  expect(endpoints.filter(([, it]) => it.effect === "safe" && it.spends)).toEqual([]);
  expect(spending.filter(([name]) => name in harmless)).toEqual([]);
});

const msg = shell();
const place = { groupId: "" };
const requests = async (method: string, path: string): Promise<unknown[]> => {
  const { json } = await msg("sandbox requests --limit 100 --json");
  const logged = v.parse(v.array(v.object({ method: v.string(), path: v.string() })), json());
  return logged.filter((it) => it.method === method && it.path === path);
};
const message = { to: "01000000001", from: "0200000000", text: "a" };

beforeAll(async () => {
  const made = await msg("group create --sandbox --json");
  place.groupId = v.parse(v.object({ groupId: v.string() }), made.json()).groupId;
  const rows = JSON.stringify([message, { ...message, to: "01000000002" }]);
  await msg(`group add ${place.groupId} - --sandbox`, { stdin: rows });
  await msg("profile set protected true -p sandbox");
});

const body = JSON.stringify({
  ...{ message, messages: [message], amount: 20_000, paymentId: "x", targetAccountId: "1" },
  scheduledDate: new Date(Date.now() + 3_600_000).toISOString(),
});

describe("of a protected profile nothing goes out by msg api without --confirm", () => {
  test.each(spending)("%s", async (_, { method, path }) => {
    const target = path.replace(":groupId", place.groupId);
    const ran = await msg(`api ${method} ${target} --input - --sandbox --json`, { stdin: body });
    expect([ran.code, errorOf(ran).code, errorOf(ran).outcome]).toEqual([
      7,
      "Protected",
      "not_sent",
    ]);
    expect(await requests(method, target)).toEqual([]);
  });

  test("nor by a call that the contract does not know", async () => {
    const ran = await msg("api POST /messages/v9/send --input - --sandbox --json", { stdin: body });
    expect([ran.code, errorOf(ran).code]).toEqual([7, "Protected"]);
  });
});

/** By its words: a line that would spend, and what --confirm repeats. */
const lines: Readonly<Record<string, readonly [line: string, confirm: string]>> = {
  send: ["send --to 01000000001 --from 0200000000 --text a", "1"],
  "send-many": ["send-many - --from 0200000000 --text a", "1"],
  "group send": ["group send <groupId>", "2"],
  "group resend": ["group resend <groupId>", "2"],
  "group schedule": ["group schedule <groupId> +2h", "2"],
  "balance charge": ["balance charge 20000 --payment x", "20000"],
  "balance transfer": ["balance transfer --to 26010500000002 --amount 20000", "20000"],
  "payment withdraw request": ["payment withdraw request --amount 20000", "20000"],
};

/** Commands that declare such an endpoint, and only look or take back; doctor tries it with a deleted group. */
const onlyLooks = ["run reconcile", "run cancel", "group unschedule", "doctor"];

test("every command that declares a spending endpoint is tried here", async () => {
  const found: string[] = [];
  for (const [words, { load, hidden }] of Object.entries(table)) {
    const { endpoints } = (await load()).default;
    if (!hidden && endpoints.some((it) => it.spends)) found.push(words);
  }
  expect(found.filter((it) => !onlyLooks.includes(it)).sort()).toEqual(Object.keys(lines).sort());
});

describe("of a protected profile no command spends without --confirm", () => {
  const stdin = '[{"to":"01000000001"}]';
  test.each(Object.entries(lines))("%s", async (_, [line, confirm]) => {
    const typed = `${line.replace("<groupId>", place.groupId)} --sandbox --json`;
    for (const asked of [{}, { answers: ["y", confirm, confirm] }]) {
      const ran = await msg(typed, { stdin, ...asked });
      expect([ran.code, errorOf(ran).code, ran.questions]).toEqual([7, "Protected", []]);
      expect(errorOf(ran).hint).toContain(`--confirm ${confirm}`);
    }
    expect((await msg(`${typed} --confirm 3 -y`, { stdin })).code).toBe(7);
    const dryRun = await msg(`${typed} --confirm ${confirm} -n`, { stdin });
    expect(dryRun.err).not.toContain("Protected");
  });

  test("and several recipients count", async () => {
    const ran = await msg(
      "send --to 01000000001 --to 01000000002 --from 0200000000 --text a --sandbox --confirm 1",
    );
    expect([ran.code, ran.err]).toEqual([7, expect.stringContaining("--confirm 2")]);
  });
});

describe("without a terminal what is large needs consent", () => {
  const at = shell();
  const file = join(at.folder, "many.csv");
  const rows = Array.from({ length: 1_001 }, (_, it) => `0102000${String(it).padStart(4, "0")},a`);
  writeFileSync(file, ["to,text", ...rows].join("\n"));
  const line = `send-many ${file} --from 0200000000 --sandbox --again`;

  test("1,001 rows: exit 7, and the flags that consent", async () => {
    const ran = await at(line);
    expect(ran.code).toBe(7);
    expect(ran.err).toContain(
      "1,001 messages for 20,020 won: needs your consent, and there is no terminal to ask",
    );
    expect(ran.err).toContain("consent with -y, --max-cost 20020 or --max-recipients 1001: msg");
  });

  test.each(["-y", "--max-cost 20020", "--max-recipients 1001", "--confirm 1001"])(
    "%s consents",
    async (flag) => {
      expect((await at(`${line} ${flag} --fields accepted`)).out).toBe("1001\n");
    },
  );

  test("both figures are settings of a profile", async () => {
    await at("profile set confirm-rows=2 confirm-cost=30 -p sandbox");
    const two = '[{"to":"01000000001"},{"to":"01000000002"}]';
    const few = "send-many - --from 0200000000 --text a --sandbox";
    expect((await at(few, { stdin: two })).err).toContain(
      "2 messages for 40 won: needs your consent",
    );
    const both = "send --to 01000000001 --to 01000000002 --from 0200000000 --text a --sandbox";
    expect((await at(both)).err).toContain("2 messages for 40 won: needs your consent");
    await at("profile unset confirm-cost -p sandbox");
    expect((await at(`${few} --again`, { stdin: two })).code).toBe(0);
    expect((await at(line)).code).toBe(7);
    await at("profile set max-recipients=1001 -p sandbox");
    expect((await at(`${line} --fields accepted`)).out).toBe("1001\n");
    await at("profile unset max-recipients -p sandbox");
    const three = { ...message, to: ["01000000001", "01000000002", "01000000003"] };
    const stdin = JSON.stringify({ messages: [three] });
    const ran = await at("api POST /messages/v4/send-many --input - --sandbox", { stdin });
    expect([ran.code, ran.err]).toEqual([7, expect.stringContaining("-y")]);
  });
});

test("money and quota that lack are named together, and what tops them up", async () => {
  const at = shell();
  await at("sandbox set --sandbox --balance 4560 --point 0 --quota 100");
  const rows = Array.from({ length: 300 }, (_, it) => `0102000${String(it).padStart(4, "0")}`);
  const ran = await at("send-many - --from 0200000000 --text a --sandbox", {
    stdin: ["to", ...rows].join("\n"),
  });
  expect(ran.code).toBe(7);
  expect(ran.err).toContain(
    "6,000 won needed, the balance is 4,560 won; 300 needed, 100 of the daily quota left",
  );
  expect(ran.err).toMatch(
    /msg --sandbox balance charge 1440 --payment <paymentId>; .*msg --sandbox quota request --amount 300 --reason <text>, /,
  );
});
