import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readButton } from "../../../src/message/kakao-template.ts";
import { type Shell, shell } from "../../support/msg.ts";

const pfId = "KA01PF260101000000000SANDBOX0001";
const approved = "KA01TP260101000000000SANDBOX0001";
const rejected = "KA01TP260101000000000SANDBOX0003";

const create = async (msg: Shell, more: readonly string[] = []): Promise<string> => {
  const words = `template create --sandbox --channel ${pfId} --name order -y -q --content`;
  const { out, err } = await msg([...words.split(" "), "#{name}님, 안녕하세요.", ...more]);
  expect(err).toBe("");
  return out.trim();
};

const kakao = (templateId: string) =>
  JSON.stringify({ pfId, templateId, variables: { name: "민지" } });
const send = (msg: Shell, templateId: string, more: readonly string[] = []) =>
  msg([
    ..."send --sandbox --json --to 01000000001 --from 0200000000 --kakao".split(" "),
    kakao(templateId),
    ...more,
  ]);

describe("from create to send", () => {
  test("create, request-review, sandbox review approve, send: accepted as ATA; another text is 1043", async () => {
    const msg = shell();
    const id = await create(msg);
    const again = await msg(`template create --sandbox --channel ${pfId} --name b --content x -y`);
    expect(again.err).toMatch(
      /request its review: msg --sandbox template request-review KA01TP\w+\n/,
    );
    const early = await send(msg, id);
    expect(early.code).toBe(10);
    expect(early.err).toContain("1042");
    const named = await msg(`send --sandbox --to 01000000001 --from 0200000000 --template ${id}`);
    expect(named.code).toBe(2);
    expect(named.err).toContain(`request its review: msg --sandbox template request-review ${id}`);
    expect((await msg(`template request-review ${id} --sandbox`)).out).toContain("INSPECTING");
    expect((await msg(`sandbox review ${id} approve`)).out).toContain("APPROVED");
    expect((await send(msg, id)).json()).toMatchObject({ type: "ATA", statusCode: "2000" });
    const other = await send(msg, id, ["--text", "다른 글"]);
    expect(other.code).toBe(10);
    expect(other.err).toContain("1043");
  });

  test("an approved template is not updated: 409, exit 10, and the reason in words", async () => {
    const msg = shell();
    const ran = await msg(["template", "update", approved, "--sandbox", "--content", "x", "-y"]);
    expect(ran.code).toBe(10);
    expect(ran.err).toContain("409 FailedToUpdate");
    expect(ran.err).toContain("biz APPROVED");
    expect(ran.err).toContain("create another");
  });

  test("one that is in review already is not to be made a second time", async () => {
    const msg = shell();
    const line = `template request-review ${await create(msg)} --sandbox`;
    expect((await msg(line)).code).toBe(0);
    expect((await msg(line)).err).toContain("to change the text");
  });

  test("a rejected one is, and both providers go back to PENDING", async () => {
    const msg = shell();
    const ran = await msg(`template update ${rejected} --sandbox --content "봄\n안내" -y`);
    expect(ran.out).toBe(`${rejected}\tsummer sale\tPENDING\tPENDING\n`);
    expect(ran.err).toBe("- 여름 할인! 전 품목 50%\n+ 봄\n+ 안내\n");
  });
});

describe("before a write", () => {
  test("a person sees the bubble and the variables, and is asked", async () => {
    const msg = shell({ tty: 80, env: { NO_COLOR: "1" } });
    const create = `template create --sandbox --channel ${pfId} --name order`;
    const ran = await msg(
      `${create} --content "#{name}님, 안녕하세요." --button WL:보기,mo=https://e.kr/#{no}`,
      { answers: ["n"] },
    );
    expect(ran.code).toBe(7);
    expect(ran.questions).toEqual(["Create the template 'order'?"]);
    expect(ran.err).toContain("│ #{name}님, 안녕하세요.             │");
    expect(ran.err).toContain("│                보기                │");
    expect(ran.err).toContain("variables: #{name}, #{no}");
    expect((await msg("template list --sandbox --json")).json()).toHaveLength(4);
  });

  test("without a terminal -y is needed, and -n sends nothing", async () => {
    const msg = shell();
    const words = `template create --sandbox --channel ${pfId} --name n --content c`;
    const asked = await msg(words);
    expect([asked.code, asked.out]).toEqual([2, ""]);
    expect(asked.err).toContain("add -y");
    const rehearsed = await msg(`${words} -n --json`);
    expect(rehearsed.json()).toEqual({
      method: "POST",
      path: "/kakao/v1/templates",
      body: { pfId, name: "n", content: "c" },
    });
    expect((await msg("template list --sandbox --json")).json()).toHaveLength(4);
  });

  test("what the service would refuse is found here, all of it, exit 2", async () => {
    const msg = shell();
    const words = `template create --sandbox --channel ${pfId} --name n --content "" -y`;
    const ran = await msg(`${words} --button WL:이름 --button XX:name`);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("--content: has 0 characters");
    expect(ran.err).toContain("no valid linkMo");
    expect(ran.err).toContain('unknown type "XX"');
    const none = await msg(["template", "update", approved, "--sandbox", "-y"]);
    expect([none.code, none.err.includes("--buttons")]).toEqual([2, true]);
  });

  test("a member that --buttons lacks is called missing", async () => {
    const lacking = ["--buttons", '[{"buttonName":"a"}]'];
    const ran = await shell()([
      ...["template", "create", "--sandbox", "--channel", "x"],
      ...lacking,
    ]);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toContain("--buttons: 0.buttonType: is missing");
  });

  test("--buttons takes a JSON array, --button is added to it", async () => {
    const msg = shell();
    const noLinks = { linkMo: null, linkPc: null, linkAnd: null, linkIos: null };
    const more = ["--buttons", '[{"buttonType":"BK","buttonName":"a"}]', "--button", "MD:b"];
    const id = await create(msg, more);
    const { out } = await msg(`template get ${id} --sandbox --json --fields buttons`);
    expect(JSON.parse(out).buttons).toEqual([
      { ...noLinks, buttonType: "BK", buttonName: "a" },
      { ...noLinks, buttonType: "MD", buttonName: "b" },
    ]);
  });
});

describe("reading", () => {
  test("missing and unused variables are named beside the preview", async () => {
    const msg = shell();
    const ran = await msg(`template get ${approved} --sandbox --var name=민지 --var x=1`);
    expect(ran.err).toBe("without a value: #{no}\nnot in the template: #{x}\n");
  });

  test("comments are a thread, of staff and members, oldest first", async () => {
    const msg = shell();
    const ran = await msg(`template comment ${rejected} --sandbox`, {
      stdin: "please look\n",
    });
    expect(ran.out.split("\n").map((line) => line.split("\t").slice(1))).toEqual([
      ["staff", "biz", "Advertising cannot be sent as alimtalk."],
      ["MEMSANDBOX0001", "biz", "please look"],
      [],
    ]);
    expect((await msg(`template get ${rejected} --sandbox --comments`)).out).toBe(ran.out);
    expect((await msg(`template comment ${rejected} --sandbox`)).code).toBe(2);
  });

  test("a template that has comments says how to read them", async () => {
    const msg = shell();
    const { err } = await msg(`template get ${rejected} --sandbox`);
    expect(err).toMatch(/review comments: msg .*template get .* --comments/);
    expect((await msg(`template get ${approved} --sandbox`)).err).not.toContain("comments");
  });

  test("hide and unhide, list by operators, delete", async () => {
    const msg = shell();
    expect((await msg(`template hide ${approved} --sandbox -q`)).out).toBe(`${approved}\n`);
    const hidden = await msg("template list --sandbox --is-hidden --fields templateId");
    expect(hidden.out).toBe(`${approved}\n`);
    await msg(`template unhide ${approved} --sandbox`);
    const line = "template list --sandbox --name like:order --date-created lt:2026-01-05 --json";
    expect((await msg(line)).json()).toMatchObject([{ templateId: approved, isHidden: false }]);
    expect((await msg(`template delete ${rejected} --sandbox -y`)).out).toContain("DELETED");
    expect((await msg(`template get ${rejected} --sandbox`)).code).toBe(6);
  });

  test("a provider that has no copy of a template has no state", async () => {
    const msg = shell();
    const list = "template list --sandbox --limit 1 --fields name,providerA,biz";
    expect((await msg(`${list} -o csv --no-header`)).out).toBe("closed today,,APPROVED\n");
    expect((await msg(`${list} --json`)).json()).toEqual([
      { name: "closed today", providerA: null, biz: "APPROVED" },
    ]);
  });

  test("--limit and --start-key walk on where the page before ended", async () => {
    const msg = shell();
    const first = await msg("template list --sandbox --limit 3 --fields templateId");
    expect(first.out.trim().split("\n")).toHaveLength(3);
    const key = /--start-key (\S+)/.exec(first.err)?.[1];
    const next = await msg(`template list --sandbox --start-key ${key} --fields templateId`);
    expect(next.out).toBe(`${approved}\n`);
  });
});

describe("a button as it is typed", () => {
  test.each([
    [
      "WL:이름,mo=https://a.kr?x=1,2&y=3,pc=https://b.kr",
      {
        buttonType: "WL",
        buttonName: "이름",
        linkMo: "https://a.kr?x=1,2&y=3",
        linkPc: "https://b.kr",
      },
    ],
    ["bk:a, b", { buttonType: "BK", buttonName: "a, b" }],
    [
      "AL:app,and=app://a,ios=app://i",
      { buttonType: "AL", buttonName: "app", linkAnd: "app://a", linkIos: "app://i" },
    ],
    ["WL:x,xy=1", "takes mo=, pc=, and=, ios=; not 'xy='"],
    ["WL:x,mo=https://a.kr?x=1,mo=2", "mo= is given twice"],
    ["WL:x,toString=1", "takes mo=, pc=, and=, ios=; not 'toString='"],
  ])("%s", (typed, expected) => {
    expect(readButton(typed)).toEqual(expected);
  });

  test("any name without such a pair in it, and any address, come back as typed", () => {
    const name = fc
      .string({ minLength: 1 })
      .filter((it) => it.trim() === it && !/,[A-Za-z]+=/.test(`${it},`));
    fc.assert(
      fc.property(name, fc.webUrl(), (buttonName, linkMo) => {
        fc.pre(!/,[A-Za-z]+=/.test(linkMo));
        expect(readButton(`WL:${buttonName},mo=${linkMo}`)).toEqual({
          buttonType: "WL",
          buttonName,
          linkMo,
        });
      }),
    );
  });
});
