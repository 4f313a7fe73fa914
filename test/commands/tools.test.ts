import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { topics } from "../../src/cli/help/help-text.ts";
import { table } from "../../src/commands/table.ts";
import { exitCodes } from "../../src/errors.ts";
import { displayWidth } from "../../src/output/text/width.ts";
import { openServer } from "../sandbox/serve.ts";
import { shell } from "../support/msg.ts";
import { keyEnv } from "../support/signer.ts";

const msg = shell();

test("auth can says yes, no and why, by the permission rows of the contract", async () => {
  const yes = await msg("auth can send --sandbox --json");
  expect([yes.code, yes.json()]).toMatchObject([0, { command: "send", allowed: "yes" }]);
  const no = await msg("auth can message list -p sandbox:inactive --json");
  expect(no.code).toBe(5);
  expect(no.json()).toMatchObject({ allowed: "no", why: "the account is INACTIVE" });
  expect((await msg("auth can balance -p sandbox:inactive")).code).toBe(0);
  expect((await msg("auth can send -p sandbox:disabled-key")).code).toBe(4);
  expect((await msg("auth can nothing --sandbox")).code).toBe(2);
  const all = (await msg("auth can --sandbox --json")).json();
  expect(all).toContainEqual(expect.objectContaining({ command: "balance", allowed: "yes" }));
});

test("auth can knows nothing of the role behind a key of the service, and the scopes of a token", async () => {
  const env = { MSG_BASE_URL: "https://api.example.com" };
  const key = { ...env, MSG_API_KEY: "K", MSG_API_SECRET: "secret-of-a-key" };
  const unknown = await msg("auth can send --json", { env: key });
  expect([unknown.code, unknown.json()]).toMatchObject([0, { allowed: "not known" }]);
  const claims = Buffer.from('{"exp":9999999999,"scope":"message:read"}').toString("base64url");
  const token = { ...env, MSG_ACCESS_TOKEN: `x.${claims}.y` };
  const no = await msg("auth can send --json", { env: token });
  expect([no.code, no.json()]).toMatchObject([
    5,
    { why: "the token lacks the scope message:write" },
  ]);
});

test.each([
  ["message:write", "send-many", "the token lacks the scope message:read"],
  ["message:read", "run reconcile", "the token lacks the scope message:write"],
  ["message:write message:read", "send-many", undefined],
  ["kakao:write", "channel link", undefined],
  ["message:read", "doctor", undefined],
  ["message:read", "price", undefined],
])(
  "auth can: with %s, of all calls of %s those decide that it cannot do without",
  async (scope, command, why) => {
    const claims = Buffer.from(JSON.stringify({ exp: 9_999_999_999, scope })).toString("base64url");
    const env = { MSG_BASE_URL: "https://api.example.com", MSG_ACCESS_TOKEN: `x.${claims}.y` };
    const { code, json } = await msg(`auth can ${command} --json`, { env });
    expect(code).toBe(why === undefined ? 0 : 5);
    if (why !== undefined) expect(json()).toMatchObject({ allowed: "no", why });
    const { needs } = v.parse(v.object({ needs: v.string() }), json());
    const help = (await msg(`${command} --help`)).out.replace(/\s+/g, " ");
    expect(help).toContain(`Needs ${needs} `);
  },
);

test("--fields of a command without an endpoint takes no name that it does not know", async () => {
  for (const line of ["explain 2000", "doctor --sandbox", "profile list", "stats --sandbox"]) {
    const { code, out, err } = await msg(`${line} --fields bogus`);
    expect([line, code, out]).toEqual([line, 2, ""]);
    expect(err).toContain("valid names");
  }
  expect((await msg("sandbox accounts --fields role")).out.split("\n")[0]).toBe("OWNER");
  const problems = await msg("text check 똠 --json --fields problems");
  expect(problems.json()).toMatchObject({ problems: [{ code: "1029" }] });
});

test("a scope that no app may ask for is not to be had by another login of that kind", async () => {
  const claims = Buffer.from('{"exp":9999999999,"scope":"message:read"}').toString("base64url");
  const env = { MSG_BASE_URL: "https://api.example.com", MSG_ACCESS_TOKEN: `x.${claims}.y` };
  const money = await msg("balance alert on -y --otp-by email", { env });
  expect([money.code, money.err]).toEqual([5, expect.stringContaining("log in with an API key")]);
  const kakao = await msg("template delete x -y", { env });
  expect([kakao.code, kakao.err]).toEqual([5, expect.stringContaining("message:read kakao:write")]);
});

test("help marks what must be given, and shows flags as they are typed", async () => {
  const help = async (path: string) => (await msg(`${path} --help`)).out;
  expect(await help("template create")).toMatch(/--channel <id> .* \(required\)\n/);
  expect(await help("quota request")).toMatch(/--reason <text> .* \(required\)\n/);
  expect(await help("group add")).toMatch(
    / --no-csv-header {2,}the first line is a row, not a header\n/,
  );
  expect(await help("group wait")).toContain("--within <duration>");
  expect(await help("group wait")).toContain("8 still pending");
  expect(await help("app profits")).toContain("--since <date>");
  expect(await help("payment add")).toContain("--exp-month <n>");
});

test("commands say what they need, over one endpoint or several", async () => {
  expect((await msg("commands --json")).json()).toMatchObject({
    commands: expect.arrayContaining([
      expect.objectContaining({
        command: "send-many",
        needs: expect.stringContaining("message:write, message:read, pricing:read"),
      }),
    ]),
  });
});

test.each([
  ["balance", "7 stopped"],
  ["group wait", "3 partly refused"],
  ["run watch", "11 outcome unknown"],
  ["run export", "11 outcome unknown"],
  ["run report", "11 outcome unknown"],
  ["profile remove", "7 stopped"],
])(
  "the help of %s names an exit code that other commands that read have not",
  async (line, code) => {
    expect((await msg(`${line} --help`)).out.replaceAll(/\s+/g, " ")).toContain(code);
    expect((await msg("price --help")).out).not.toContain(code);
  },
);

test("help limits has those of the contract, help of a command what a terminal asks for", async () => {
  const { out } = await msg("help limits");
  for (const words of [
    "messages per group 1,000,000",
    "amount to charge, 1,000 to 10,000,000 won",
    "up to 1,000 Korean or 2,000 Latin characters",
    "at most five buttons",
    "reasonRequested why, in 1 to 500 characters",
    "RCS takes jpg, png up to 1000 KB",
  ])
    expect(out.replace(/\s+/g, " ")).toContain(words);
  expect(out).not.toContain("up to this");
  const help = (await msg("payment add --help")).out;
  expect(help.replace(/\s+/g, " ")).toMatch(/--exp-year <n> [^<]* \(asked for on a terminal\) /);
});

test("--input is offered where it brings a member, and brings what must be given", async () => {
  const help = async (path: string) => (await msg(`${path} --help`)).out;
  expect(await help("payment add")).toContain("--input");
  for (const path of ["group remove", "group schedule", "sandbox clock advance"])
    expect(await help(path)).not.toContain("--input");
  const stdin = '{"quota":200000,"reasonRequested":"notices"}';
  const asked = await msg("quota request --input - --sandbox -n --json", { stdin });
  expect(asked.json()).toMatchObject({ body: JSON.parse(stdin) });
});

test("doctor looks into every part of PATH, one that is no folder included", async () => {
  const { code, json } = await msg("doctor --sandbox --json", { env: { PATH: "/etc/passwd:/" } });
  expect(code).toBe(0);
  expect(json()).toContainEqual(expect.objectContaining({ check: "path", verdict: "warning" }));
});

test("doctor warns of another msg on PATH, not of the same one found twice", async () => {
  const [one, link, other] = ["one", "link", "other"].map((name) => join(msg.folder, "path", name));
  for (const folder of [one, link, other]) mkdirSync(`${folder}`, { recursive: true });
  for (const folder of [one, other]) writeFileSync(`${folder}/msg`, "");
  symlinkSync(`${one}/msg`, `${link}/msg`);
  const found = async (...folders: unknown[]) =>
    (await msg("doctor --sandbox --json", { env: { PATH: folders.join(delimiter) } })).json();
  const once = { check: "path", verdict: "ok", text: `${one}/msg` };
  expect(await found(one, one, link)).toContainEqual(once);
  const text = `${one}/msg; ${other}/msg is another program`;
  expect(await found(one, one, other)).toContainEqual({ check: "path", verdict: "warning", text });
});

test("doctor leaves names to the proxy that looks them up", async () => {
  const env = { HTTPS_PROXY: "http://127.0.0.1:9" };
  const { json } = await msg("doctor --json --base-url https://nowhere.invalid", { env });
  expect(json()).toContainEqual(expect.objectContaining({ check: "dns", verdict: "skipped" }));
});

test.each(["-p work", "", "--sandbox"])(
  "doctor %s reports broken settings among its findings",
  async (of) => {
    const fresh = shell();
    await fresh("profile set from 0212345678");
    writeFileSync(join(fresh.folder, "config", "config.json"), '{"version":1,');
    const { code, json } = await fresh(`doctor --json ${of}`);
    expect(code).toBe(2);
    expect(json()).toContainEqual({
      check: "settings",
      verdict: "wrong",
      text: expect.stringMatching(/config.json' is not JSON .*; the file is unchanged; fix it/),
    });
    expect(json()).toContainEqual(expect.objectContaining({ check: "login" }));
    expect((await fresh("balance")).code).toBe(2);
  },
);

test("doctor names the profile that is to be logged in to", async () => {
  const msg = shell();
  await msg("profile set base-url=http://127.0.0.1:9");
  await msg("profile rename default work");
  const { out } = await msg("doctor -p work");
  expect(out).toContain("login\twarning\tnot logged in; run msg auth login -p work, or try");
});

test("doctor that is stopped ends with 130; a service that is down is no wrong login", async () => {
  const msg = shell({ wait: async () => undefined });
  expect((await msg("doctor --sandbox", { signal: AbortSignal.abort() })).code).toBe(130);
  await msg(["sandbox", "fault", "add", "--on", "GET /cash/*", "--do", "status:503"]);
  const { code, out } = await msg("doctor --sandbox");
  expect([code, out]).toEqual([2, expect.stringContaining("network\twrong\t")]);
  expect(out).not.toContain("login\t");
});

test("doctor gives every check a verdict, and ends with 2 where something is wrong", async () => {
  const well = await msg("doctor --sandbox --json");
  expect(well.code).toBe(0);
  const env = { MSG_API_KEY: "SANDBOXKEY000001", MSG_API_SECRET: "wrong-secret-of-a-key" };
  const { url, close } = await openServer({ now: () => new Date() });
  const ill = await msg(`doctor --json --base-url ${url}`, { env });
  expect(ill.code).toBe(2);
  expect(ill.json()).toContainEqual(expect.objectContaining({ check: "login", verdict: "wrong" }));
  expect(JSON.parse(ill.err).error.hint).toMatch(
    /^login: .*store it again with msg auth login, and unset MSG_API_KEY and MSG_API_SECRET$/,
  );
  const skewed = await msg(`doctor --json --base-url ${url}`, {
    env: keyEnv(),
    now: () => new Date(Date.now() + 3_600_000),
  });
  expect(skewed.code).toBe(2);
  expect(skewed.json()).toContainEqual({
    check: "clock",
    verdict: "wrong",
    text: expect.stringMatching(
      /^the clock of this machine is 1 h.* ahead of the service's; set the clock$/,
    ),
  });
  const nearly = await msg(`doctor --json --base-url ${url}`, {
    env: keyEnv(),
    now: () => new Date(Date.now() - 840_000),
  });
  expect(nearly.json()).toContainEqual({
    check: "clock",
    verdict: "warning",
    text: expect.stringMatching(
      /1\d min.* behind the service's; at 15 minutes requests are refused/,
    ),
  });
  await close();
  const gone = await msg(`doctor --json --base-url ${url}`, { env });
  expect(gone.json()).toContainEqual(
    expect.objectContaining({ check: "network", verdict: "wrong" }),
  );
});

test.each([
  [["auth", "logi"], "login"],
  [["auth", ""], "can"],
  [["send", "--te"], "--text"],
  [["-p", "sandbox:m"], "sandbox:member"],
  [["balance", "-o", ""], "jsonl"],
  [["completion", ""], "fish"],
  [["balance", "--output=j"], "--output=json"],
  [["-p", "sandbox:dev"], "sandbox:developer"],
  [["send", "--type", "L"], "LMS"],
  [["send", "--text", "-", "--ty"], "--type"],
  [["send", "--text", "@nowhere", "--ty"], "--type"],
  [["balance", "-"], "--output"],
  [["sandbox", "fault", "add", "--do", "st"], "status:503"],
  [["help", "ex"], "exit-codes"],
  [["help", "sandbox", "cl"], "clock"],
  [["auth", "can", "message", "l"], "list"],
  [["profile", "use", ""], "sandbox"],
  [["profile", "set", "max"], "maxCost"],
  [["profile", "set", "-p", "sandbox", "max"], "maxCost"],
  [["profile", "unset", "from", "max"], "maxCost"],
  [["balance", "--lang", ""], "ko"],
  [["payment", "add", "--in"], "--input"],
])("completion of %j offers %s, without a network", async (words, expected) => {
  const { code, out } = await msg(["complete-line", "--", ...words]);
  expect(code).toBe(0);
  expect(out.split("\n").map((line) => line.split("\t")[0])).toContain(expected);
});

test.each([
  [["profile", "set", "max-cost", ""]],
  [["run", "show", "last", ""]],
  [["completion", "fish", "--install", ""]],
])("completion of %j offers no word that the command does not take", async (words) => {
  expect(await msg(["complete-line", "--", ...words])).toMatchObject({ code: 0, out: "" });
});

test.each(["bash", "zsh", "fish", "pwsh"])("completion %s prints a script", async (name) => {
  const { code, out } = await msg(`completion ${name}`);
  expect(code).toBe(0);
  expect(out).toContain(" complete-line --");
});

test("commands --json is the whole tree, with flags, needs, exit codes and topics", async () => {
  const printed = JSON.parse((await msg("commands --json")).out);
  const { commands, exitCodes: codes } = printed;
  const shown = Object.entries(table).filter(([, it]) => !it.hidden);
  expect(commands.map((it: { command: string }) => it.command)).toEqual(
    shown.map(([path]) => path),
  );
  expect(codes).toEqual({ ok: 0, ...exitCodes });
  const send = commands.find((it: { command: string }) => it.command === "send");
  expect(send.flags.map((it: { name: string }) => it.name)).toContain("text");
  expect(send.needs).toContain("message:write");
  expect(printed.topics).toEqual(topics);
});

test.each(Object.keys(topics))("help %s is a page that fits a terminal", async (topic) => {
  const { code, out } = await msg(`help ${topic}`);
  expect(code).toBe(0);
  expect(Math.max(...out.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
  expect(out.split("\n").length).toBeGreaterThan(5);
});

test("help exit-codes has every code and its number", async () => {
  const { out } = await msg("help exit-codes");
  for (const code of [0, ...Object.values(exitCodes)])
    expect(out).toMatch(new RegExp(`^ +${code}  [a-z]`, "m"));
});

const forbidden = [
  ..."is told|are told|when left out|is to be read|stands by|takes no further word|stand there".split(
    "|",
  ),
  ..."mend the|doubtful|what a wrong row|goes on,|anew|is no time zone|is no address".split("|"),
  ..."in the place of|nobody|whoever|completed Korean set|amounts to".split("|"),
];

test("help reliability says what is promised and under which conditions, in a page of plain words", async () => {
  const { out } = await msg("help reliability");
  for (const word of [
    ..."at most once|replay window|errorCode of the service|unknown|--direct|--no-tag".split("|"),
    ..."One case is not covered|lease|5 minutes back|Another machine".split("|"),
  ])
    expect(out.replace(/\s+/g, " ")).toContain(word);
  for (const word of forbidden) expect(out.toLowerCase()).not.toContain(word.toLowerCase());
  expect(out.split("\n").length).toBeLessThanOrEqual(80);
});

test("--direct says what it gives up", async () => {
  const { out } = await msg("send-many --help");
  expect(out.replace(/\s+/g, " ")).toContain("loses their protection");
});

test("msg --help names every topic", async () => {
  const { out } = await msg("--help");
  for (const topic of Object.keys(topics)) expect(out).toContain(topic);
});

test("msg alone greets a new user with three commands, and shows its help later", async () => {
  const at = shell();
  const { code, out } = await at("");
  expect(code).toBe(0);
  expect(out.match(/^ {2}msg /gm)).toHaveLength(3);
  expect((await at("--lang ko")).out).toContain("먼저 해 볼 명령 세 가지");
  for (const line of ["--help", "help"]) expect((await at(line)).out).toContain("Commands");
  expect((await at("profile use sandbox")).code).toBe(0);
  expect((await at("")).out).toContain("Commands");
});

test.each(["message show", "profile add", "payment withdraw 1000"])(
  "'%s' is not answered with another command of the group",
  async (typed) => {
    const { code, err } = await shell()(typed);
    expect(code).toBe(2);
    expect(err).not.toContain("did you mean");
  },
);

test("help of a topic that is none: 2, with the nearest", async () => {
  const { code, err } = await msg("help exit-code");
  expect(code).toBe(2);
  expect(err).toContain("exit-codes");
});

test.each([
  ["sned", "send"],
  ["mesasge", "message"],
  ["blaance", "balance"],
  ["message lst", "message list"],
  ["login", "auth login"],
])(
  "'%s' is answered with '%s': letters that changed places are one mistake, and a group may be missing",
  async (typed, meant) => {
    const { code, err } = await shell()(typed);
    expect(code).toBe(2);
    expect(err).toContain(`did you mean '${meant}'?`);
  },
);
