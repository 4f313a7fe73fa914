import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serveAll } from "../../sandbox/serve.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { secretOf } from "../../support/signer.ts";

const served = serveAll({ now: () => new Date() });

const secret = secretOf(1);
const login = (more = ""): string =>
  `auth login --api-key SANDBOXKEY000001 --secret-stdin --base-url ${served.url} ${more}`;

const filesOf = (msg: Shell): string[] => {
  try {
    return readdirSync(join(msg.folder, "config")).sort();
  } catch {
    return [];
  }
};

describe("msg auth login", () => {
  test("checks the key, keeps it for its owner alone, and makes the first profile current", async () => {
    const msg = shell();
    const file = join(msg.folder, "config", "credentials.json");
    const { code, json, err, out } = await msg(login("--json"), { stdin: `${secret}\n` });
    expect(code, err).toBe(0);
    const record = {
      profile: "default",
      kind: "key",
      host: new URL(served.url).host,
      apiKeyTail: "0001",
      stored: file,
      from: "profile default",
    };
    expect(json()).toEqual(record);
    expect(err).toContain(file);
    expect(out + err).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(msg.folder, "config", "config.json"), "utf8")).not.toContain(secret);
    expect((await msg("auth status --json")).json()).toEqual({
      ...record,
      ...{ dateStored: expect.any(String), dateExpires: null, scope: null },
      // No read tells whose key it is.
      ...{ accountId: null, role: null },
      inDoubt: [],
    });
    expect((await msg("balance --json")).json()).toMatchObject({ accountId: "26010500000001" });
  });

  test("asks a person for what is missing, the secret without echo", async () => {
    const msg = shell();
    const answers = [served.url, "SANDBOXKEY000001", secret];
    const { code, questions, hidden } = await msg("auth login -p work", { answers });
    expect([code, questions, hidden]).toEqual([
      0,
      ["Address of the service (https://…):", "API key:", "API secret:"],
      ["API secret:"],
    ]);
    expect((await msg("profile list --json")).json()).toMatchObject([
      { name: "work", current: true, kind: "key", baseUrl: served.url },
    ]);
  });

  test("--secret-stdin reads a pipe although there is a person, and asks one at the keyboard", async () => {
    const msg = shell();
    const piped = await msg(login(), { tty: 80, stdin: secret, answers: [] });
    expect([piped.code, piped.questions], piped.err).toEqual([0, []]);
    const typed = await msg(login("-p typed"), { tty: 80, answers: [secret] });
    expect([typed.code, typed.hidden], typed.err).toEqual([0, ["API secret:"]]);
  });

  test("what is needed is asked for again if it is left empty", async () => {
    const answers = ["", "SANDBOXKEY000001", secret];
    const ran = await shell()(`auth login --base-url ${served.url}`, { answers });
    expect([ran.code, ran.questions[1]]).toEqual([0, "API key: (a value is required)"]);
  });

  test("the settings of a profile stay when it is logged in anew", async () => {
    const msg = shell();
    await msg(login(), { stdin: secret });
    await msg("profile set from 0212345678");
    const { err } = await msg(login(), { stdin: secret });
    expect(err).not.toContain("msg profile use");
    expect((await msg("profile list --json")).json()).toMatchObject([{ from: "0212345678" }]);
  });

  test("a second profile is kept beside the first and is not made current", async () => {
    const msg = shell();
    await msg(login(), { stdin: secret });
    const { err } = await msg(login("-p other"), { stdin: secret });
    expect(err).toContain("msg profile use other");
    expect((await msg("profile list --fields name,current")).out).toBe(
      "default\ttrue\nother\tfalse\n",
    );
  });

  test("a key that the service forbids the balance is valid, and is stored", async () => {
    const msg = shell();
    const line = login().replace("SANDBOXKEY000001", "SANDBOXKEY000006");
    const { code, err } = await msg(line, { stdin: secretOf(6) });
    expect([code, err]).toEqual([0, expect.stringContaining("may not read the balance")]);
    expect(filesOf(msg)).toContain("credentials.json");
  });

  test("while the sandbox is the current profile, it is the login of the profile 'default'", async () => {
    const msg = shell();
    await msg("profile use sandbox");
    const answers = [served.url, "SANDBOXKEY000001", secret];
    const { code, json, err } = await msg("auth login --json", { answers });
    expect([code, json()], err).toMatchObject([0, { profile: "default" }]);
  });

  test.each([
    ["a wrong secret", "SANDBOXKEY000001", secretOf(2), 4],
    ["an unknown key", "SANDBOXKEY999999", secret, 4],
  ])("%s is refused by the service and not stored", async (_what, apiKey, given, expected) => {
    const msg = shell();
    const line = login().replace("SANDBOXKEY000001", apiKey);
    const { code, err } = await msg(line, { stdin: given });
    expect(code).toBe(expected);
    expect(err).not.toContain(given);
    expect(filesOf(msg)).toEqual([]);
  });

  test.each([
    [
      "without a secret",
      "auth login --api-key K --base-url https://api.example.com",
      "",
      "--secret-stdin",
    ],
    ["with a browser and a key", "auth login --web --api-key K", "", "--api-key cannot be used"],
    ["with a key and a scope", "auth login --api-key K --scope s", "", "--scope needs --web"],
    ["without a host", "auth login --api-key K --secret-stdin", "x", "--base-url"],
    ["for the sandbox", "auth login --sandbox --api-key K --secret-stdin", "x", "needs no login"],
    [
      "with a secret of two lines",
      "auth login --api-key K --secret-stdin --base-url https://api.example.com",
      "canary-1\ncanary-2",
      "line break",
    ],
    [
      "with an empty secret",
      "auth login --api-key K --secret-stdin --base-url https://api.example.com",
      "",
      "is empty",
    ],
    [
      "with a key of two words",
      "auth login --api-key 'K canary' --secret-stdin --base-url http://127.0.0.1:9",
      "x",
      "no key has",
    ],
    [
      "with a client id of two words",
      "auth login --web --client-id 'C canary' --client-secret-stdin --no-browser --base-url http://127.0.0.1:9",
      "x",
      "no key has",
    ],
    [
      "to a host in plain text",
      "auth login --api-key K --secret-stdin --base-url http://api.example.com",
      "x",
      "not encrypted",
    ],
    [
      "under a name that is none",
      "auth login -p 'a/b' --api-key K --secret-stdin --base-url https://api.example.com",
      "x",
      "not a valid profile name",
    ],
  ])("%s it ends with 2 and says what to give", async (_what, line, stdin, says) => {
    const msg = shell();
    const { code, err } = await msg(line, { stdin });
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(err).not.toContain("canary");
    expect(filesOf(msg)).toEqual([]);
  });

  test.each(["--api-secret S3CRET-canary", "--api-secret=S3CRET-canary", "--secret S3CRET-canary"])(
    "C07 a secret is no flag, and is not repeated: %s",
    async (flag) => {
      const { code, err, out } = await shell()(`auth login --api-key K ${flag}`);
      expect(code).toBe(2);
      expect(err).toContain(`has no flag ${flag.split(/[ =]/)[0]}`);
      expect(out + err).not.toContain("canary");
    },
  );

  test("403 of a gateway proves no key: exit 5, nothing is stored, and doctor calls nothing valid", async () => {
    const server = createServer((_, response) => response.writeHead(403).end("gate"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const msg = shell();
    const line = `auth login --api-key K1 --secret-stdin --base-url ${url}`;
    expect(await msg(line, { stdin: "wrong-secret-of-a-key" })).toMatchObject({ code: 5, out: "" });
    expect(filesOf(msg)).not.toContain("credentials.json");
    const env = { MSG_API_KEY: "K1", MSG_API_SECRET: "wrong-secret-of-a-key", MSG_BASE_URL: url };
    const { code, out } = await msg("doctor", { env });
    server.close();
    expect([code, out]).toEqual([2, expect.stringMatching(/network\twrong\t.*403/)]);
  });

  test("a rehearsal checks and stores nothing", async () => {
    const msg = shell();
    const { code, err, json } = await msg(login("-n --json"), { stdin: secret });
    expect([code, json()]).toMatchObject([0, { stored: null }]);
    expect(err).not.toContain("is stored");
    expect(filesOf(msg)).toEqual([]);
  });
});

describe("msg auth status", () => {
  test("of the sandbox needs no login", async () => {
    expect((await shell()("auth status --sandbox --json")).json()).toEqual({
      profile: "sandbox",
      kind: "key",
      host: null,
      apiKeyTail: "0001",
      stored: null,
      from: "built in",
      ...{ accountId: "26010500000001", role: "OWNER" },
      ...{ dateStored: null, dateExpires: null, scope: null },
      inDoubt: [],
    });
  });

  test("names the environment where the key comes from there", async () => {
    const env = {
      MSG_API_KEY: "ENVKEY00000042ZZ",
      MSG_API_SECRET: "S3CRET-canary",
      MSG_BASE_URL: "https://api.example.com",
    };
    const { json, out, err } = await shell({ env })("auth status --json");
    expect(json()).toMatchObject({
      host: "api.example.com",
      apiKeyTail: "42ZZ",
      stored: null,
      from: "MSG_API_KEY",
    });
    expect(out + err).not.toContain("canary");
  });

  test("without a login it ends with 4", async () => {
    const { code, err } = await shell()("auth status");
    expect(code).toBe(4);
    expect(err).toContain("msg auth login");
  });
});

test("who is not logged in is told to log in to the profile of the line", async () => {
  const msg = shell();
  await msg(login("-p work"), { stdin: secret });
  await msg("auth logout -p work");
  for (const line of ["balance", "auth status"])
    expect((await msg(`${line} -p work`)).err).toContain("log in: msg auth login -p work;");
  expect((await msg("balance")).err).toContain("log in: msg auth login;");
});

test("of a token that says nothing of itself no permission is denied: only the service knows it", async () => {
  const env = { MSG_ACCESS_TOKEN: "opaque-token", MSG_BASE_URL: served.url };
  const { code, json, err } = await shell({ env })("auth can send --json");
  expect([code, err]).toEqual([0, ""]);
  expect(json()).toMatchObject({ command: "send", allowed: "not known" });
});

describe("msg auth logout", () => {
  test("removes the secret and keeps the settings", async () => {
    const msg = shell();
    await msg(login(), { stdin: secret });
    expect((await msg("auth logout --json")).json()).toMatchObject({
      profile: "default",
      apiKeyTail: "0001",
      stored: null,
    });
    expect(readFileSync(join(msg.folder, "config", "credentials.json"), "utf8")).not.toContain(
      "SANDBOX",
    );
    expect((await msg("balance")).code).toBe(4);
    expect((await msg("profile list --fields name,kind,baseUrl")).out).toBe(
      `default\t\t${served.url}\n`,
    );
    expect((await msg("auth logout")).code).toBe(6);
  });

  test("the runs of a profile that was renamed are followed, and cancelled, under its new name", async () => {
    const msg = shell();
    await msg(login("-p old"), { stdin: `${secret}\n` });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const line = `send-many - -p old --from 0200000000 --text x --at ${at} --json`;
    const { run } = JSON.parse((await msg(line, { stdin: "to\n01000000001\n" })).out);
    expect((await msg("profile rename old new")).code).toBe(0);
    const last = JSON.parse((await msg("run show last -p new --json")).out);
    expect(last).toMatchObject({ run, profile: "old", dateRead: expect.any(String) });
    for (const words of [`run reconcile ${run}`, `run cancel ${run} -p new`]) {
      const { code, err } = await msg(`${words} --json`);
      expect(code, err).toBe(0);
    }
    await msg(login("-p old"), { stdin: `${secret}\n` });
    const { code, err } = await msg(`run reconcile ${run} -p new --json`);
    expect([code, err]).toEqual([2, expect.stringContaining("OtherProfile")]);
    expect((await msg("run show last -p new")).code).toBe(6);
  });

  test("a profile takes its secret along when it is renamed and when it is removed", async () => {
    const msg = shell();
    await msg(login(), { stdin: secret });
    expect((await msg("profile rename default work")).code).toBe(0);
    expect((await msg("balance -p work")).code).toBe(0);
    expect((await msg("profile remove work -y")).code).toBe(0);
    expect(readFileSync(join(msg.folder, "config", "credentials.json"), "utf8")).not.toContain(
      "SANDBOX",
    );
  });
});
