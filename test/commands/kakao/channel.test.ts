import { describe, expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";

const pfId = "KA01PF260101000000000SANDBOX0001";
const wish = "--search-id @shop --phone 010-1234-0000 --category 00200020001";

const lastCode = async (msg: Shell): Promise<string> =>
  (await msg("sandbox codes --fields code")).out.split("\n")[0] ?? "";

describe("linking a channel", () => {
  test("a script has the token sent, and gives it on standard input", async () => {
    const msg = shell();
    const asked = await msg(`channel link --sandbox ${wish}`);
    expect(asked.code).toBe(2);
    expect(asked.err).toContain("msg --sandbox channel request-token --search-id @shop");
    expect((await msg(`channel request-token --sandbox ${wish}`)).code).toBe(0);
    const code = await lastCode(msg);
    const rehearsed = await msg(`channel link --sandbox ${wish} --token-stdin -n`, { stdin: code });
    expect(rehearsed.out).toContain('"token":"***"');
    const linked = await msg(`channel link --sandbox ${wish} --token-stdin --json`, {
      stdin: `${code}\n`,
    });
    expect(linked.json()).toMatchObject({ searchId: "shop", phoneNumber: "010-1234-0000" });
    const again = await msg(`channel link --sandbox ${wish} --token-stdin`, { stdin: code });
    expect(again.code).toBe(10);
    expect(again.err).toContain("AlreadyLinked");
    const list = await msg("channel list --sandbox --search-id like:sho --fields searchId");
    expect(list.out).toBe("shop\n");
    for (const typed of ["@shop", "like:@sh"])
      expect((await msg(`channel list --sandbox --search-id ${typed} -o tsv`)).out).toContain(
        "shop",
      );
  });

  test("answers that begin with an @ are what was typed, and the line says them as they are read", async () => {
    const msg = shell({ tty: 200 });
    const asked = await msg("channel request-token --sandbox -n --json", {
      answers: ["@shop", "01012340000", "@@place"],
    });
    expect(asked.json()).toMatchObject({ body: { searchId: "@shop", categoryCode: "@@place" } });
    expect(asked.err).toContain("--search-id @shop --phone 01012340000 --category @@@place");
  });

  test("a person is led through it; a wrong token is asked for again, three times at most", async () => {
    const msg = shell({ tty: 80 });
    const ran = await msg("channel link --sandbox", {
      answers: ["shop", "01012340000", "00200020001", "x", "y", "z"],
    });
    expect(ran.code).toBe(10);
    expect(ran.questions.map((it) => it.split(":")[0])).toEqual([
      "search id of the channel",
      "phone number of the channel's manager",
      "category of the channel",
      "token",
      "token",
      "token",
    ]);
    expect(ran.hidden).toEqual(["token:", "token:", "token:"]);
    expect(ran.err).toContain("a token was sent to 01012340000");
    expect(ran.err).toContain("InvalidToken");
    expect((await msg("channel list --sandbox --json")).json()).toHaveLength(1);
  });

  test("-n shows the first request and sends no token", async () => {
    const msg = shell({ tty: 80 });
    const ran = await msg(`channel link --sandbox ${wish} -n --json`, { answers: [] });
    expect(ran.json()).toMatchObject({ path: "/kakao/v1/plus-friends/token" });
    expect((await msg("sandbox codes --json")).json()).toEqual([]);
  });
});

describe("unlinking a channel", () => {
  test("names the templates that go with it, and wants its id typed", async () => {
    const msg = shell();
    const asked = await msg(`channel unlink ${pfId} --sandbox`);
    expect(asked.code).toBe(2);
    expect(asked.err).toContain("4 templates are deleted");
    expect(asked.err).toContain("order shipped (KA01TP");
    expect(asked.err).toContain(`--confirm '${pfId}'`);
    expect((await msg(`channel unlink ${pfId} --sandbox -y`)).code).toBe(2);
    expect((await msg(`channel unlink ${pfId} --sandbox --confirm other`)).code).toBe(7);
    const done = await msg(`channel unlink ${pfId} --sandbox --confirm ${pfId} -q`);
    expect([done.code, done.out]).toEqual([0, `${pfId}\n`]);
    expect((await msg("template list --sandbox --json")).json()).toEqual([]);
    expect((await msg(`channel get ${pfId} --sandbox`)).code).toBe(6);
  });
});

test("who may not write is told why, exit 5", async () => {
  const msg = shell();
  const line = (profile: string) => msg(`template hide KA01TPx -p ${profile}`);
  for (const [profile, word] of [
    ["sandbox:member", "Forbidden"],
    ["sandbox:unverified", "AccountNotAuthenticated"],
    ["sandbox:inactive", "InactiveAccount"],
  ] as const) {
    const ran = await line(profile);
    expect([profile, ran.code]).toEqual([profile, 5]);
    expect(ran.err).toContain(word);
  }
  expect((await msg("template list -p sandbox:member --json")).json()).toHaveLength(4);
});

test("sandbox accounts lists channels and templates", async () => {
  const { channels, templates } = JSON.parse((await shell()("sandbox accounts --json")).out);
  expect(channels).toMatchObject([{ pfId, searchId: "sandbox" }]);
  expect(templates.map((it: { status: string }) => it.status)).toEqual([
    "biz APPROVED",
    "biz PENDING",
    "biz REJECTED",
    "biz APPROVED",
  ]);
});
