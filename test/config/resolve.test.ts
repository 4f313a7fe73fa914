import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requireCredentials, resolveSettings } from "../../src/config/resolve.ts";
import type { SettingFlags } from "../../src/config/settings.ts";
import { type Home, home, key, refusalOf } from "./home.ts";

const url = "https://api.example.com";
const work = {
  baseUrl: url,
  from: "0211111111",
  tz: "Asia/Seoul",
  output: "csv",
  maxCost: 900,
  protected: true,
};

const stored = (
  profiles: Readonly<Record<string, object>> = { work },
  current: string | undefined = "work",
): Home => {
  const made = home();
  made.put("config.json", JSON.stringify({ version: 1, current, profiles }));
  made.put("credentials.json", JSON.stringify({ version: 1, profiles: { work: key() } }));
  return made;
};

interface Line {
  readonly flags?: SettingFlags;
  readonly env?: Readonly<Record<string, string>>;
  readonly defaultProfile?: string;
  readonly mayBeNew?: boolean;
}

const resolve = ({ store }: Home, { flags = {}, env = {}, ...rest }: Line = {}) =>
  resolveSettings({ flags, env, config: store, ...rest });

/** What ends a command that needs an account. */
const ending = (made: Home, line: Line): Promise<unknown> =>
  refusalOf(async () => requireCredentials(await resolve(made, line)));

const pair = { MSG_API_KEY: "ENVKEY0000000001", MSG_API_SECRET: "S3CRET-canary-env" };

describe("precedence", () => {
  test("flag, environment, profile, default: each goes before the next and is named", async () => {
    const made = stored();
    const env = { MSG_TZ: "UTC", MSG_OUTPUT: "tsv", MSG_FROM: "0222222222", MSG_TIMEOUT: "5s" };
    const flags = { tz: "Europe/Berlin", output: "json", timeout: "1m" };
    expect((await resolve(made, { flags, env })).timeZone).toEqual({
      value: "Europe/Berlin",
      from: "flag --tz",
      origin: "flag",
    });
    expect((await resolve(made, { env })).timeZone).toEqual({
      value: "UTC",
      from: "MSG_TZ",
      origin: "environment",
    });
    expect((await resolve(made)).timeZone).toEqual({
      value: "Asia/Seoul",
      from: "profile work",
      origin: "profile",
    });
    expect((await resolve(home())).timeZone).toMatchObject({ from: "default", origin: "default" });
    const { output, timeoutMs, from, maxCost } = await resolve(made, { flags, env });
    expect([output.value, timeoutMs.value, from.value, maxCost.value]).toEqual([
      "json",
      60_000,
      "0222222222",
      900,
    ]);
    expect((await resolve(made)).protected).toEqual({
      value: true,
      from: "profile work",
      origin: "profile",
    });
  });

  test("an empty variable is the same as none", async () => {
    const env = {
      MSG_TZ: "",
      MSG_PROFILE: "",
      MSG_API_KEY: "",
      MSG_API_SECRET: "",
      MSG_NO_INPUT: "",
    };
    const settings = await resolve(stored(), { env });
    expect(settings.timeZone.origin).toBe("profile");
    expect(settings.credentials.from).toBe("profile work");
    expect(settings.noInput.value).toBe(false);
  });

  test("a value that is wrong is refused with the place that it stands in", async () => {
    const made = stored();
    expect(String(await refusalOf(() => resolve(made, { env: { MSG_OUTPUT: "xml" } })))).toContain(
      "MSG_OUTPUT: 'xml'",
    );
    expect(String(await refusalOf(() => resolve(made, { flags: { timeout: "30" } })))).toContain(
      "--timeout: '30'",
    );
  });
});

describe("which profile", () => {
  const made = stored({ work, "home-office": {} });

  test("the flag, MSG_PROFILE, the current one, in this order", async () => {
    const env = { MSG_PROFILE: "home-office" };
    expect((await resolve(made, { flags: { profile: "work" }, env })).profile.from).toBe(
      "flag --profile",
    );
    expect((await resolve(made, { env })).profile).toEqual({
      value: "home-office",
      from: "MSG_PROFILE",
      origin: "environment",
    });
    expect((await resolve(made)).profile).toEqual({
      value: "work",
      from: "config.json",
      origin: "profile",
    });
    expect((await resolve(home())).profile).toEqual({
      value: "default",
      from: "default",
      origin: "default",
    });
  });

  test("a name that is not there is refused with what was meant and the list", async () => {
    const error = await refusalOf(() => resolve(made, { flags: { profile: "wrk" } }));
    expect(error).toMatchObject({
      exitCode: 2,
      code: "UnknownProfile",
      todo: expect.stringContaining("work, home-office"),
    });
    expect(String(error)).toContain("'wrk'; did you mean 'work'?");
    expect(
      String(await refusalOf(() => resolve(made, { flags: { profile: "sandbox:develper" } }))),
    ).toContain("'sandbox:developer'");
    expect(await refusalOf(() => resolve(made, { flags: { profile: "__proto__" } }))).toMatchObject(
      { code: "UnknownProfile" },
    );
  });

  test("a command that makes a profile may name a new one", async () => {
    expect((await resolve(made, { flags: { profile: "new" }, mayBeNew: true })).profile.value).toBe(
      "new",
    );
  });
});

describe("the sandbox", () => {
  test.each([
    ["sandbox", "SANDBOXKEY000001", `SANDBOXSECRET${"0".repeat(19)}`],
    ["sandbox:developer", "SANDBOXKEY000002", `SANDBOXSECRET${"0".repeat(18)}2`],
    ["sandbox:member-inactive", "SANDBOXKEY000009", `SANDBOXSECRET${"0".repeat(18)}9`],
  ])("%s has its own key and needs no file", async (profile, apiKey, apiSecret) => {
    const settings = await resolve(home(), { flags: { profile } });
    expect(settings).toMatchObject({ sandbox: true, baseUrl: { value: undefined } });
    expect(settings.credentials).toEqual({
      value: { kind: "key", apiKey, apiSecret },
      from: "built in",
      origin: "default",
    });
  });

  test("an address on the line names another service than the sandbox that a command uses by itself", async () => {
    const flags = { "base-url": url };
    expect((await resolve(stored(), { flags, defaultProfile: "sandbox" })).sandbox).toBe(false);
  });

  test("keys and hosts of the environment never reach it", async () => {
    const env = { ...pair, MSG_BASE_URL: url };
    for (const line of [
      { flags: { sandbox: true }, env },
      { env: { ...env, MSG_PROFILE: "sandbox" } },
      { env, defaultProfile: "sandbox" },
    ]) {
      const settings = await resolve(stored(), line);
      expect([settings.sandbox, settings.baseUrl.value, settings.credentials.from]).toEqual([
        true,
        undefined,
        "built in",
      ]);
    }
  });

  test("where it is only the current profile, an account that is named goes before it", async () => {
    const made = stored({}, "sandbox");
    expect((await resolve(made)).sandbox).toBe(true);
    const settings = await resolve(made, { env: { ...pair, MSG_BASE_URL: url } });
    expect([settings.sandbox, settings.credentials.from]).toEqual([false, "MSG_API_KEY"]);
    expect((await resolve(made, { env: { MSG_BASE_URL: url } })).sandbox).toBe(false);
  });

  test("it keeps settings of its own", async () => {
    expect(
      (await resolve(stored({ sandbox: { from: "0200000000" } }), { flags: { sandbox: true } }))
        .from.value,
    ).toBe("0200000000");
  });

  test.each([
    [{ sandbox: true, profile: "work" }, "--profile"],
    [{ sandbox: true, "base-url": "http://127.0.0.1:4610" }, "--base-url"],
    [{ profile: "sandbox", "auth-url": "http://127.0.0.1:4610" }, "--auth-url"],
  ])("%o exclude each other", async (flags, named) => {
    const error = await refusalOf(() => resolve(stored(), { flags }));
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(named) });
  });

  test("the variable that names it is named where a host of the line has no use", async () => {
    const line = { flags: { "base-url": url }, env: { MSG_PROFILE: "sandbox" } };
    expect(await refusalOf(() => resolve(stored(), line))).toMatchObject({
      message: "the sandbox in this process and --base-url exclude each other",
      where: "named by MSG_PROFILE",
    });
  });
});

describe("C05 credentials of the environment", () => {
  test("a whole pair goes before those of the profile", async () => {
    const { credentials } = await resolve(stored(), { env: pair });
    expect(credentials).toEqual({
      value: { kind: "key", apiKey: pair.MSG_API_KEY, apiSecret: pair.MSG_API_SECRET },
      from: "MSG_API_KEY",
      origin: "environment",
    });
  });

  test("the secret may stand in a file, with the line break of an editor", async () => {
    const made = stored();
    const MSG_API_SECRET_FILE = made.put("secret", "\ufeffS3CRET-canary-file\r\n");
    const { credentials } = await resolve(made, { env: { MSG_API_KEY: "K", MSG_API_SECRET_FILE } });
    expect(credentials.value).toMatchObject({ apiSecret: "S3CRET-canary-file" });
  });

  test("a file of it that cannot be read is named by its variable, in no folder of msg", async () => {
    const made = stored();
    const env = { MSG_API_KEY: "K", MSG_API_SECRET_FILE: made.folder };
    const read = async () => (await resolve(made, { env })).credentials;
    await expect(read()).rejects.toMatchObject({
      code: "FileProblem",
      todo: "let MSG_API_SECRET_FILE name a file that you may read",
    });
  });

  test("a command may print the secret", async () => {
    const env = { MSG_API_KEY: "K", MSG_API_SECRET_CMD: "echo S3CRET-canary-command" };
    const { credentials } = await resolve(stored(), { env });
    expect(credentials.value).toMatchObject({ apiSecret: "S3CRET-canary-command" });
  });

  test("a token needs nothing beside it", async () => {
    const { credentials } = await resolve(stored(), { env: { MSG_ACCESS_TOKEN: "a.b.c" } });
    expect(credentials.value).toEqual({ kind: "token", accessToken: "a.b.c" });
  });

  const canary = "S3CRET-canary";
  test.each([
    ["key without secret", { MSG_API_KEY: canary }, "MSG_API_SECRET is not"],
    ["secret without key", { MSG_API_SECRET: canary }, "MSG_API_KEY is not"],
    ["an empty secret", { MSG_API_KEY: canary, MSG_API_SECRET: "" }, "MSG_API_SECRET is not"],
    ["a line break", { MSG_API_KEY: "K", MSG_API_SECRET: `${canary}\r\nX: y` }, "line break"],
    [
      "a line break at the end",
      { MSG_API_KEY: `${canary}\n`, MSG_API_SECRET: "s" },
      "MSG_API_KEY contains a line break",
    ],
    ["a blank", { MSG_ACCESS_TOKEN: `Bearer ${canary}` }, "characters that no key has"],
    [
      "secret and file",
      { MSG_API_KEY: "K", MSG_API_SECRET: canary, MSG_API_SECRET_FILE: "/x" },
      "both set",
    ],
    ["token and key", { MSG_ACCESS_TOKEN: canary, MSG_API_KEY: "K" }, "both set"],
    [
      "a file that is not there",
      { MSG_API_KEY: "K", MSG_API_SECRET_FILE: join("/nowhere", "x") },
      "MSG_API_SECRET_FILE",
    ],
    [
      "a command that fails",
      { MSG_API_KEY: "K", MSG_API_SECRET_CMD: `echo ${canary}; exit 3` },
      "the command of MSG_API_SECRET_CMD failed",
    ],
    [
      "a command that prints more",
      { MSG_API_KEY: "K", MSG_API_SECRET_CMD: `echo ${canary}; echo more` },
      "the output of MSG_API_SECRET_CMD contains a line break",
    ],
    [
      "file and command",
      { MSG_API_KEY: "K", MSG_API_SECRET_FILE: "/x", MSG_API_SECRET_CMD: "echo x" },
      "both set",
    ],
  ])("%s is refused and not repeated", async (_what, env, says) => {
    const error = await ending(stored(), { env });
    expect(error).toMatchObject({ exitCode: 2 });
    expect(String(error)).toContain(says);
    expect(JSON.stringify(error) + String(error)).not.toContain(canary);
  });

  test("a pair without a host is refused", async () => {
    expect(await ending(home(), { env: pair })).toMatchObject({ exitCode: 2, code: "NoHost" });
  });
});

describe("credentials of a profile", () => {
  test("are used for the host that they were stored for", async () => {
    const { credentials } = await resolve(stored());
    expect(credentials).toMatchObject({
      value: { apiKey: key().apiKey },
      from: "profile work",
      origin: "profile",
    });
  });

  test.each([
    { flags: { "base-url": "https://evil.example.com" } },
    { env: { MSG_BASE_URL: "https://api.example.com:8443" } },
  ])("and go to no other: %o", async (line) => {
    const error = await ending(stored(), line);
    expect(error).toMatchObject({
      exitCode: 2,
      code: "OtherHost",
      todo: expect.stringContaining("msg auth login"),
    });
  });

  test("a token goes to the host of OAuth2 that it came from, and to no other", async () => {
    const token = { ...key(), kind: "token", accessToken: "a.b.c", refreshToken: "r" };
    const { apiKey: _key, apiSecret: _secret, ...entry } = token;
    const withAuth = (authUrl?: string) => {
      const made = stored({ work: { ...work, ...(authUrl && { authUrl }) } });
      made.put("credentials.json", JSON.stringify({ version: 1, profiles: { work: entry } }));
      return made;
    };
    const own = "https://auth.example.com";
    expect((await resolve(withAuth(own))).credentials.value).toMatchObject({ kind: "token" });
    const line = { env: { MSG_AUTH_URL: own } };
    expect((await resolve(withAuth(own), line)).credentials.value).toBeDefined();
    const flags = { "auth-url": own };
    expect((await resolve(withAuth(), { flags })).credentials.value).toBeDefined();
    for (const made of [withAuth(), withAuth("https://other.example.com")])
      expect(await ending(made, line)).toMatchObject({ exitCode: 2, code: "OtherHost" });
  });

  test("where there are none, the command ends with 4 and says what to do", async () => {
    expect(await ending(home(), {})).toMatchObject({
      exitCode: 4,
      todo: expect.stringContaining("msg auth login"),
    });
  });

  test("a broken file of secrets matters to commands that need them alone", async () => {
    const made = stored();
    made.put("credentials.json", "{");
    const settings = await resolve(made);
    expect(settings.timeZone.value).toBe("Asia/Seoul");
    expect(await refusalOf(() => settings.credentials)).toMatchObject({
      exitCode: 2,
      code: "BrokenFile",
    });
  });
});
