import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";

const configOf = (msg: Shell): unknown =>
  JSON.parse(readFileSync(join(msg.folder, "config", "config.json"), "utf8"));

describe("msg profile set, unset", () => {
  test("keeps a value for the current profile and prints the profile", async () => {
    const msg = shell();
    const { code, json } = await msg("profile set from 02-1234-5678 --json");
    expect(code).toBe(0);
    expect(json()).toEqual({ name: "default", current: true, from: "0212345678" });
    expect(configOf(msg)).toEqual({
      version: 1,
      profiles: { default: { from: "0212345678" } },
    });
  });

  test("takes several key=value, and kebab-case keys", async () => {
    const msg = shell();
    const set = await msg(
      "profile set max-cost=50,000 maxRecipients=1000 protected=yes -p sandbox --json",
    );
    expect(set.json()).toMatchObject({ maxCost: 50_000, maxRecipients: 1_000, protected: true });
    const unset = await msg("profile unset max-cost protected -p sandbox --json");
    expect(unset.json()).toEqual({ name: "sandbox", current: false, maxRecipients: 1_000 });
  });

  test.each([
    ["frm 0212345678", "there is no setting 'frm'; did you mean 'from'?"],
    ["max-cost lots", "maxCost: 'lots' is not a whole number"],
    ["base-url http://api.example.com", "not encrypted"],
    ["tz Asia/Soul", "'Asia/Soul' is not a time zone"],
    ["from", "'from' has no value"],
    ["api-secret S3CRET-canary", "there is no setting 'api-secret'"],
    ["base-url http://127.0.0.1:4610 -p sandbox", "has no host"],
    ["auth-url http://127.0.0.1:4610 -p sandbox", "has no host"],
  ])("%s is refused and nothing is stored", async (words, says) => {
    const msg = shell();
    const { code, err, out } = await msg(`profile set ${words}`);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
    expect(err).not.toContain("canary");
    expect((await msg("profile list --json")).json()).toEqual([]);
  });

  test("a rehearsal changes nothing", async () => {
    const msg = shell();
    expect((await msg("profile set from 0212345678 -n --json")).json()).toMatchObject({
      from: "0212345678",
    });
    expect((await msg("profile list --json")).json()).toEqual([]);
  });
});

describe("msg profile use, list", () => {
  test("the sandbox may be the current profile", async () => {
    const msg = shell();
    expect((await msg("profile use sandbox")).code).toBe(0);
    expect((await msg("profile show --json")).json()).toContainEqual({
      setting: "profile",
      value: "sandbox",
      from: "config.json",
    });
  });

  test("a name that is not there is refused with the list", async () => {
    const msg = shell();
    await msg("profile set from 0212345678");
    const { code, err } = await msg("profile use defalt");
    expect(code).toBe(2);
    expect(err).toContain("there is no profile 'defalt'; did you mean 'default'?");
    expect((await msg("balance -p nowhere")).code).toBe(2);
  });

  test("says so where MSG_PROFILE goes before it", async () => {
    const msg = shell({ env: { MSG_PROFILE: "sandbox" } });
    expect((await msg("profile use sandbox:developer")).err).toContain("MSG_PROFILE is set");
  });
});

test("msg profile show tells every value with where it comes from", async () => {
  const msg = shell();
  await msg("profile set from=0212345678 output=json tz=UTC");
  const shown = await msg("profile show --json --timeout 5s", { env: { MSG_FROM: "0311111111" } });
  const rows = [
    { setting: "profile", value: "default", from: "default" },
    { setting: "credentials", value: null, from: "default" },
    { setting: "from", value: "0311111111", from: "MSG_FROM" },
    { setting: "tz", value: "Asia/Seoul", from: "MSG_TZ" },
    { setting: "output", value: "json", from: "flag --output" },
    { setting: "timeoutMs", value: 5_000, from: "flag --timeout" },
  ];
  for (const row of rows) expect(shown.json()).toContainEqual(row);
  expect((await msg("profile show -o tsv")).out).toContain("output\ttsv\tflag --output\n");
});

test("settings that an editor of Windows has saved are read, with their byte order mark", async () => {
  const msg = shell();
  await msg("profile set lang ko");
  const file = join(msg.folder, "config", "config.json");
  writeFileSync(file, `\ufeff${readFileSync(file, "utf8")}`);
  const shown = await msg("profile list --fields name,lang");
  expect([shown.code, shown.out]).toEqual([0, "default\tko\n"]);
  expect((await msg("profile use nowhere")).err).toContain("오류:");
});

test("settings with a misspelled guard stop a send: exit 2, and nothing is sent", async () => {
  const msg = shell();
  await msg("profile set max-cost 1 -p sandbox");
  const file = join(msg.folder, "config", "config.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("maxCost", "maxCots"));
  const send = "send --sandbox --to 01000000001 --from 0200000000 --text x --json";
  expect((await msg(send)).code).toBe(2);
  rmSync(file);
  expect((await msg("group list --sandbox --json")).json()).toEqual([]);
});

test("the language is a setting like the others: shown where it comes from, and listed", async () => {
  const msg = shell();
  await msg("profile set lang ko");
  const row = { setting: "lang", value: "ko", from: "profile default" };
  expect((await msg("profile show --json")).json()).toContainEqual(row);
  expect((await msg("profile show --json --lang en")).json()).toContainEqual({
    setting: "lang",
    value: "en",
    from: "flag --lang",
  });
  expect((await msg("profile list --fields name,lang")).out).toBe("default\tko\n");
});

test("-q prints the name of the profile that was changed, and no more", async () => {
  const msg = shell();
  for (const line of ["set from 0212345678", "use default", "unset from"])
    expect(await msg(`profile ${line} -q`)).toMatchObject({ out: "default\n", err: "" });
});

test("a screen shows what is set, a pipe every column in its place", async () => {
  const msg = shell();
  const screen = await msg("profile set from 0212345678 --no-color", { tty: 80 });
  expect(screen.out).toBe("name     default\ncurrent  yes\nfrom     0212345678\n");
  expect((await msg("profile use default")).out.trimEnd().split("\t")[5]).toBe("0212345678");
  expect((await msg("profile rename default work", { tty: 80 })).out).not.toMatch(/tz|lang/);
});

test.each(["profile key", "profile set", "auth refresh", "run purge"])(
  "the help of %s, which sends nothing, has no exit codes of a send",
  async (line) => {
    const { out } = await shell()(`${line} --help`);
    expect(out).not.toMatch(/3 partly|9 not sent|11 outcome/);
  },
);

describe("msg profile rename, remove", () => {
  test("a renamed profile stays the current one", async () => {
    const msg = shell();
    await msg("profile set from 0212345678");
    expect((await msg("profile rename default 회사 --json")).json()).toEqual({
      name: "회사",
      current: true,
      from: "0212345678",
    });
    expect((await msg("profile list --fields name,current")).out).toBe("회사\ttrue\n");
  });

  test("of two at once with different names, one renames and the other finds no such profile", async () => {
    const msg = shell();
    await msg("profile set from 0212345678");
    const both = await Promise.all(["a", "b"].map((it) => msg(`profile rename default ${it}`)));
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 2]);
    const winner = both[0]?.code === 0 ? "a" : "b";
    expect((await msg("profile list --fields name --json")).json()).toEqual([{ name: winner }]);
  });

  test("a rename that a power cut ended before its last step is finished by a second one", async () => {
    const msg = shell();
    const file = join(msg.folder, "config", "credentials.json");
    const kept = () => JSON.parse(readFileSync(file, "utf8"));
    await msg("profile set from 0212345678");
    const [host, dateStored] = ["api.example.com", "2026-01-15T03:00:00.000Z"];
    const login = { kind: "key", apiKey: "K", apiSecret: "S3CRET-canary", host, dateStored };
    const secrets = (...names: string[]) => ({
      version: 1,
      profiles: Object.fromEntries(names.map((name) => [name, login])),
      approvalKeys: Object.fromEntries(names.map((name) => [name, "key"])),
    });
    writeFileSync(file, JSON.stringify(secrets("default")), { mode: 0o600 });
    await msg("profile rename default work");
    expect(kept()).toEqual(secrets("work"));
    // The secret of a login that was cut before its settings is not that of the new name.
    const own = { ...secrets("default", "work"), approvalKeys: {} };
    const cut = { ...own, profiles: { ...own.profiles, default: { ...login, apiKey: "L" } } };
    writeFileSync(file, JSON.stringify(cut));
    expect((await msg("profile rename default work")).code).toBe(2);
    expect(kept()).toEqual(cut);
    writeFileSync(file, JSON.stringify(secrets("default", "work")));
    expect((await msg("profile rename default other")).code).toBe(2);
    expect(await msg("profile rename default work -n")).toMatchObject({ code: 0 });
    expect(kept()).toEqual(secrets("default", "work"));
    expect((await msg("profile rename default work --json")).json()).toMatchObject({
      name: "work",
    });
    expect(kept()).toEqual(secrets("work"));
    expect((await msg("profile rename default work")).code).toBe(2);
  });

  test("a profile without a login gets none by its new name, and no file of secrets is made for it", async () => {
    const msg = shell();
    const file = join(msg.folder, "config", "credentials.json");
    await msg("profile set from 0212345678");
    expect((await msg("profile rename default work")).code).toBe(0);
    expect(existsSync(file)).toBe(false);
    const login = { kind: "key", apiKey: "K", apiSecret: "S3CRET-canary" };
    const kept = { ...login, host: "api.example.com", dateStored: "2026-01-15T03:00:00.000Z" };
    // Of a login that was cut before its settings were written.
    writeFileSync(file, JSON.stringify({ version: 1, profiles: { left: kept } }), { mode: 0o600 });
    expect((await msg("profile rename work left")).code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8")).profiles).toEqual({});
  });

  test.each([
    "default sandbox",
    "default sandbox:x",
    "default __proto__",
    "default constructor",
    "nobody work",
    "default 'a b'",
    `default ${"a".repeat(65)}`,
  ])("rename %s is refused", async (words) => {
    const msg = shell();
    await msg("profile set from 0212345678");
    expect((await msg(`profile rename ${words}`)).code).toBe(2);
    expect((await msg("profile list --fields name")).out).toBe("default\n");
  });

  test("removing the current profile names the one that commands use now", async () => {
    const msg = shell();
    await msg("profile set from 0212345678");
    const profiles = { default: {}, work: {} };
    const config = JSON.stringify({ version: 1, current: "work", profiles });
    writeFileSync(join(msg.folder, "config", "config.json"), config);
    const { err } = await msg("profile remove work -y");
    expect(err).toContain("the current profile is now 'default'");
    expect((await msg("profile list --fields name,current")).out).toBe("default\ttrue\n");
  });

  test.each([
    ["another than the current one", ["work", "home"], "home", ""],
    ["the only one", ["work"], "work", ""],
    ["the current one, with no default", ["work", "home"], "work", "no profile is current now"],
  ])(
    "removing %s says what commands use now only if that changed",
    async (_what, names, name, note) => {
      const msg = shell();
      await msg("profile set from 0212345678");
      const profiles = Object.fromEntries(names.map((it) => [it, {}]));
      const config = JSON.stringify({ version: 1, current: "work", profiles });
      writeFileSync(join(msg.folder, "config", "config.json"), config);
      const { code, err } = await msg(`profile remove ${name} -y`);
      expect([code, err.split(";")[0]?.trim()]).toEqual([0, note]);
    },
  );

  test.each(["profile remove sandbox", "profile rename sandbox:member work"])(
    "%s says that it is built in, not that there is none",
    async (line) => {
      const { code, err } = await shell()(line);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/is built in; nothing is stored for it/),
      ]);
    },
  );

  test("removing asks, and does nothing without a yes", async () => {
    const msg = shell();
    await msg("profile set from 0212345678");
    expect((await msg("profile remove default")).code).toBe(2);
    expect((await msg("profile remove default", { answers: ["n"] })).code).toBe(7);
    expect((await msg("profile list --json")).json()).toHaveLength(1);
    const { code, questions } = await msg("profile remove default", { answers: ["y"] });
    expect([code, questions]).toEqual([0, ["Remove the profile 'default' and its credentials?"]]);
    expect((await msg("profile list --json")).json()).toEqual([]);
  });
});
