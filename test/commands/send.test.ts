import { describe, expect, test } from "vitest";
import { hurried, testClock } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envOf } from "../support/signer.ts";

const send = "send --sandbox --from 0200000000 --text hello";

test("one minute after it was sent, message get shows 3104 with its meaning, and the money is back", async () => {
  const msg = shell();
  const id = (await msg(`${send} --to 01000003104 -q`)).out.trim();
  expect((await msg("balance --sandbox --json")).json()).toMatchObject({ point: 4980 });
  await msg("sandbox clock advance 1m");
  const shown = await msg(`message get ${id} --sandbox --fields statusCode,meaning`);
  expect(shown.out).toBe("3104\trecipient does not use Kakao Talk\n");
  expect((await msg("balance --sandbox --json")).json()).toMatchObject({ point: 5000 });
});

test("message get of a Kakao message that failed says that the text sent in its place arrived", async () => {
  const msg = shell();
  const kakao = "--template KA01TP260101000000000SANDBOX0004 --fallback-text closed";
  const id = (await msg(`${send} --to 01000003104 -q`.replace("--text hello", kakao))).out.trim();
  await msg("sandbox clock advance 2m");
  const { out, err } = await msg(`message get ${id} --sandbox --fields type,statusCode`);
  expect(out).toBe("ATA\t3104\n");
  expect(err).toContain("(3104); what the service sent in its place arrived");
  await msg('sandbox fault add --sandbox --on "GET /messages/v4/groups/*" --do status:500');
  const unread = await msg(`message get ${id} --sandbox --fields statusCode`);
  expect([unread.code, unread.out], unread.err).toEqual([0, "3104\n"]);
});

test("--quiet prints the new id alone, whatever the format, with --envelope as well", async () => {
  const msg = shell();
  for (const format of ["-o tsv", "-o json", "-o json --envelope", "-o jsonl --envelope"]) {
    const { out } = await msg(`${send} --to 01000000001 -q ${format}`);
    expect(out, format).toMatch(/^M4V\w+\n$/);
  }
});

test("a rehearsal in a pipe names its lines alike in both languages", async () => {
  const itemsIn = async (language: string) => {
    const { out } = await shell()(`${send} --to 01000000001 -n --lang ${language}`);
    return out.replace(/\t.*/g, "");
  };
  expect(await itemsIn("ko")).toBe("to send\nsize\ncost\nto\ntext\n");
  expect(await itemsIn("en")).toBe(await itemsIn("ko"));
});

const kakao = "--template KA01TP260101000000000SANDBOX0004";
const friends = `--type CTA --kakao '{"pfId":"KA01PF260101000000000SANDBOX0001"}'`;

test.each([
  ["a Kakao message", kakao, "ATA\ncost\t19 won; more if a fallback message replaces it\nto\t"],
  ["one with a text", `${kakao} --fallback-text x`, "plus up to 20 won for fallback messages\n"],
  ["a friend talk", `${friends} --text 안녕`, "CTA\nsize\t2 characters\n"],
  [
    "one without a fallback",
    `${friends.replace("}", ',"disableSms":true}')} --text x`,
    "won\nto\t",
  ],
  ["a later text", "--text x --at 2026-02-01T10:00:00+09:00", "at\t2026-02-01 10:00:00 KST\n"],
  ["a long text", `--text ${"x".repeat(900)}`, `text\t${"x".repeat(300)}…\n`],
])("a rehearsal of %s shows what it is", async (_what, flags, lines) => {
  const line = `send --sandbox --from 0200000000 --to 01012345678 ${flags} -n`;
  const { out, err } = await shell(testClock())(line);
  expect(out, err).toContain(lines);
});

test("of a variable in a Kakao message, which the service fills, there is no warning", async () => {
  const line = `send --sandbox --from 0200000000 --to 01012345678 ${friends} --text 'hi #{name}' -n`;
  expect(await shell()(line)).toMatchObject({ code: 0, err: expect.not.stringContaining("#{") });
});

test("a rehearsal says that the price is not known, and shows a number of ten digits as people do", async () => {
  const msg = shell();
  await msg("sandbox fault add --on 'GET /pricing/*' --do status:503");
  const { out, err } = await msg(`${send} --to 0111234567 -n`);
  expect(out, err).toContain("cost\tprice not known\nto\t011-123-4567\n");
});

test("an empty country is Korea: its price is known, and a ceiling lets it pass", async () => {
  const line = [...`${send} --to 01000000001 --max-cost 100 --country`.split(" "), ""];
  const { code, err } = await shell()(line);
  expect(code, err).toBe(0);
});

test("a variable without --var is sent as it is, with a warning; with --var there is none", async () => {
  const words = ["send", "--sandbox", "--from", "0200000000", "--to", "01000000001"];
  const typed = [...words, "--text", "hi #{name}"];
  for (const rehearsed of [[], ["-n"]]) {
    const literal = await shell()([...typed, ...rehearsed]);
    expect(literal.code, literal.err).toBe(0);
    expect(literal.err).toContain(
      "#{name} in the text is sent as it is; to replace it: --var name=",
    );
    expect((await shell()([...typed, "--var", "name=Kim", ...rehearsed])).err).not.toContain("#{");
  }
});

test("a rehearsal warns of what a phone may not show, as the send does", async () => {
  for (const more of [[], ["-n"]]) {
    const words = ["send", "--sandbox", "--from", "0200000000", "--to", "01000000001"];
    const { code, err } = await shell()([...words, "--text", "안녕😀", ...more]);
    expect([code, err]).toEqual([0, expect.stringContaining('"😀" in the text')]);
  }
});

test("--fields names members of the record that --envelope shows beside its cost", async () => {
  const msg = shell();
  const shown = await msg(`${send} --to 01000000001 --json --envelope --fields to`);
  expect(shown.json()).toEqual({
    record: { to: "01000000001" },
    cost: expect.any(Number),
    alreadySent: false,
  });
});

test("--once with several recipients is exit 2, and nothing is sent", async () => {
  const msg = shell();
  const ran = await msg(`${send} --to 01000000001 --to 01000000002 --once order-1`);
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("takes one recipient")]);
  expect((await msg("group list --sandbox --json")).json()).toEqual([]);
});

describe("--at", () => {
  test("the message waits at the service, and goes out at its hour", async () => {
    const msg = shell();
    await msg("sandbox reset --seed 1");
    const ran = await msg([
      ...`${send} --to 01000000001 --json --at`.split(" "),
      "2026-01-05 19:00",
    ]);
    expect(ran.json()).toMatchObject({
      groupInfo: { status: "SCHEDULED", scheduledDate: "2026-01-05T10:00:00.000Z" },
    });
    expect((await msg("sandbox inbox list")).out).toBe("");
    await msg("sandbox clock advance 2h");
    expect((await msg("sandbox inbox list")).out).toContain("01000000001");
  });

  test("a refused one is exit 3; a bad date, and --wait beside it, exit 2", async () => {
    const msg = shell();
    await msg("sandbox reset --seed 1");
    const at = "--at 2026-01-06";
    expect((await msg(`${send} --to 01000001060 --to 01000000001 ${at}`)).code).toBe(3);
    expect((await msg(`${send} --to 01000000001 --at soon`)).code).toBe(2);
    expect((await msg(`${send} --to 01000000001 ${at} --wait`)).code).toBe(2);
    expect((await msg(`${send} --to 01000000001 ${at} --max-cost 19`)).code).toBe(7);
    expect((await msg("group list --sandbox --json")).json()).toHaveLength(1);
  });

  test.each([
    ["some", "--to 01000001060 --to 01000000001", "partial", /group unschedule \S+ stops/],
    ["all", "--to 01000001060", "refused", /message list --group-id \S+ --all shows/],
  ])(
    "where %s are refused it says what to do with the group",
    async (_which, to, outcome, hint) => {
      const msg = shell(testClock());
      const { err } = await msg(`${send} ${to} --at 2026-02-01 --json`);
      expect(JSON.parse(err).error).toMatchObject({
        outcome,
        hint: expect.stringMatching(hint),
        details: [{ code: "1060" }],
      });
    },
  );

  test("--once beside it is exit 2: what is scheduled twice goes out twice", async () => {
    const msg = shell();
    await msg("sandbox reset --seed 1");
    const ran = await msg(`${send} --to 01000000001 --at 2026-01-06 --once order-1`);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("exclude each other")]);
    expect((await msg("group list --sandbox --json")).json()).toEqual([]);
  });

  test("where the service's time is ours, a past hour is exit 2 and sends nothing", async () => {
    const msg = shell();
    const ran = await msg("send --from 0200000000 --text hello --to 01000000001 --at 2020-01-01", {
      env: envOf("http://127.0.0.1:1"),
    });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining("is in the past")]);
  });
});

test.each(["", "--at 2026-01-06", "-n"])(
  "more recipients than the profile allows stop one call too, exit 7: %j",
  async (more) => {
    const msg = shell();
    await msg("sandbox reset --seed 1");
    await msg("profile set max-recipients 1 -p sandbox");
    const ran = await msg(`${send} --to 01000000001 --to 01000000002 ${more}`.trim());
    expect([ran.code, ran.err]).toEqual([
      7,
      expect.stringContaining("too many recipients: 2; allowed: 1"),
    ]);
    expect((await msg("group list --sandbox --json")).json()).toEqual([]);
    expect((await msg(`${send} --to 01000000001`)).code).toBe(0);
  },
);

describe("--wait", () => {
  test("shows the message as it ended: 0 when it arrived, 10 when it did not, 8 when time is over", async () => {
    const msg = shell();
    await msg("sandbox set --tick 0ms");
    const arrived = await msg(`${send} --to 01000000001 --wait --json`);
    expect([arrived.code, arrived.json()]).toEqual([
      0,
      expect.objectContaining({ statusCode: "4000", status: "COMPLETE" }),
    ]);
    const failed = await msg(`${send} --to 01000003104 --wait`);
    expect([failed.code, failed.err]).toEqual([10, expect.stringContaining("Kakao Talk")]);
    const several = await msg(`${send} --to 01000003104 --to 01000000001 --wait`);
    expect(several.code).toBe(3);
    await msg("sandbox set --tick 1h");
    expect((await msg(`${send} --to 01000000001 --wait --within 0`)).code).toBe(8);
  });

  test("a message that is still on its way is shown as that message, exit 8", async () => {
    const msg = shell();
    const ran = await msg(`${send} --to 01000000001 --wait --within 0 --json`);
    expect([ran.code, ran.json()]).toMatchObject([8, { to: "01000000001", statusCode: "2000" }]);
    expect(ran.out).toContain('"messageId"');
  });

  test("what was refused as a whole is not waited for: exit 3", async () => {
    const msg = shell();
    const words = `${send} --to 01000001060 --to 01000001061 --wait --within 0 --json`;
    const { code, err } = await msg(words);
    expect([code, JSON.parse(err)], err).toMatchObject([3, { error: { outcome: "refused" } }]);
  });

  test("a bad length of time is found before anything is sent", async () => {
    const msg = shell();
    expect((await msg(`${send} --to 01000000001 --wait --within soon`)).code).toBe(2);
    expect((await msg("group list --sandbox --json")).json()).toEqual([]);
  });
});

test("--once whose earlier send is in doubt: what stops this one does not say that it was not sent", async () => {
  const at = shell({ ...hurried() });
  const line = "send --sandbox --to 01000000001 --from 0200000000 --text x --once order-1 --json";
  const fault = (on: string, what: string) =>
    at(["sandbox", "fault", "add", "--sandbox", "--on", on, "--do", what, "--times", "1"]);
  await fault("POST /messages/v4/groups/*/send", "drop-before");
  const first = await at(`${line} --settle 0`);
  expect(first.code, first.err).toBe(11);
  const stopped = await at(`${line} --max-cost 1`);
  const { error } = JSON.parse(stopped.err);
  expect([stopped.code, error.code, error.outcome]).toEqual([11, "CostAboveCeiling", "unknown"]);
  expect(error.message).toMatch(/^1 message remains unclear: /);
  expect(error.hint).toContain("msg --sandbox run reconcile order-1");
  const settled = await at("run reconcile order-1 --sandbox --json");
  expect(settled.code, settled.err).toBe(11);
  expect((await at(line)).code).toBe(0);
  expect((await at(`${line} --max-cost 1`)).code).toBe(0);
  expect(JSON.parse((await at("message list --sandbox --json")).out)).toHaveLength(1);
});

test.each([
  ["", "/messages/v4/groups/:groupId/messages"],
  ["--no-tag", "/messages/v4/send"],
])("-n of --once %s shows the request that would hold the message", async (tag, path) => {
  const ran = await shell()(
    `send --sandbox --to 01000000001 --from 0200000000 --text x --once k ${tag} -n --json`,
  );
  expect([ran.code, ran.json()]).toEqual([0, expect.objectContaining({ path })]);
});

test("an answer that is no number is asked for again, at once", async () => {
  const answers = ["홍길동", "010-0000-0001", "0200000000", "안녕하세요", "y"];
  const { code, err, questions } = await shell()("send --sandbox", { tty: 80, answers });
  expect(code, err).toBe(0);
  expect(questions[1]).toContain('"홍길동" is not a phone number');
});
