/** A run that was made at one service is not gone on with at another: what that does not know was not "not sent". */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { type Shell, shell } from "../support/msg.ts";
import { rewriteRun } from "../support/run-files.ts";
import { secretOf } from "../support/signer.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Harm, openLine } from "./line.ts";
import { oneService } from "./one-service.ts";
import { tokenEnv } from "./tokens.ts";

const { opened, nextBatch } = oneService();

const isSend = (path: string): boolean => /\/send(-many)?$/.test(path);

/** A line to the service that harms what sends, and a `msg` that talks over it. */
const over = async (harm?: Harm) => {
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) => (method === "POST" && isSend(path) ? harm : undefined),
  });
  return { line, env: envFor(line) };
};

const elsewhere = "https://api.example.test";

/** The only run of a folder as one that was made at a service that is not of this machine. */
const movedAway = (at: Shell): void => {
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => !it.startsWith("."));
  rewriteRun(join(runs, run), (text) => {
    const moved = text.replace(/"baseUrl":"http:[^"]*"/, `"baseUrl":"${elsewhere}"`);
    expect(moved).not.toBe(text);
    return moved;
  });
};

/** Nobody knows what became of it, and it was made elsewhere. */
const inDoubt = async (words: readonly string[], stdin = "") => {
  const at = shell();
  const first = await over("dropBefore");
  const begun = await at([...words, "--settle", "0"], { stdin, env: first.env });
  await first.line.stop();
  expect(begun.code, begun.err).toBe(11);
  movedAway(at);
  return at;
};

const verbs = [
  ["send-many", "--resume", "last"],
  ["send-many", "--resume", "last", "-n"],
  ["send-many", "--retry-refused", "last"],
  ["run", "reconcile", "last"],
  ["run", "cancel", "last"],
  ["run", "export", "last"],
];

describe("made at another address", () => {
  test.each(verbs)("%s %s %s %s: exit 2 with both addresses, no request", async (...words) => {
    const at = await inDoubt(sending("--no-tag"), rowsOf(2, nextBatch()));
    const { line, env } = await over();
    const { code, err } = await at([...words.filter((it) => it !== undefined), "--json"], { env });
    await line.stop();
    expect(code, err).toBe(2);
    expect(JSON.parse(err).error).toMatchObject({
      code: "OtherService",
      message: expect.stringMatching(`was made at ${elsewhere}, this is ${line.baseUrl}`),
      hint: expect.stringContaining(`--base-url ${elsewhere}`),
    });
    expect(line.requests).toEqual([]);
  });

  test("send --once that is in doubt: exit 2, and nothing is sent", async () => {
    const [to = ""] = numbersOf(1, nextBatch());
    const send = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--once", "order-7"];
    const at = await inDoubt([...send, "--no-tag"]);
    const { line, env } = await over();
    const { code, err } = await at([...send, "--no-tag", "--json"], { env });
    await line.stop();
    expect([code, JSON.parse(err).error.code]).toEqual([2, "OtherService"]);
    expect([line.requests.filter(({ path }) => isSend(path)), opened().books().get(to)]).toEqual([
      [],
      undefined,
    ]);
  });

  test("send --once that was sent: exit 2, and not called sent", async () => {
    const [to = ""] = numbersOf(1, nextBatch());
    const send = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--once", "order-8"];
    const at = shell({ env: envFor(opened()) });
    expect((await at(send)).code).toBe(0);
    movedAway(at);
    const { code, err } = await at([...send, "--json"]);
    expect([code, JSON.parse(err).error]).toMatchObject([
      2,
      { code: "OtherService", hint: expect.stringMatching(/another key, or --sandbox$/) },
    ]);
  });

  test.each([[[]], [["-n"]]])(
    "send-many --once %s by a token that may not read its account: exit 2, and not called sent",
    async (flags) => {
      const { baseUrl } = opened();
      const token = await tokenEnv(baseUrl, "message:read message:write");
      const at = shell({ env: { ...token, MSG_BASE_URL: baseUrl } });
      const words = [...sending("--once", `order-13${flags}`), "--json"];
      const stdin = rowsOf(1, nextBatch());
      expect((await at(words, { stdin })).code).toBe(0);
      movedAway(at);
      const { code, err } = await at([...words, ...flags], { stdin });
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(`was made at ${elsewhere}, this is`),
      ]);
    },
  );

  test.each([["run list"], ["run show last"]])(
    "%s: this service, which may be a sandbox, is not asked about a run of another one",
    async (words) => {
      const at = shell();
      const { line, env } = await over();
      expect((await at(sending(), { env, stdin: rowsOf(1, nextBatch()) })).code).toBe(0);
      movedAway(at);
      const before = line.requests.length;
      const shown = (await at(`${words} --json`, { env })).json();
      await line.stop();
      expect([shown].flat()).toMatchObject([{ accepted: 1, delivered: null, dateRead: null }]);
      expect(line.requests.slice(before)).toEqual([]);
    },
  );

  test("what needs no service is shown all the same", async () => {
    const at = await inDoubt(sending("--no-tag"), rowsOf(2, nextBatch()));
    const { line, env } = await over();
    const shown = await at("run show last --json", { env });
    const rows = await at("run export last --status unknown --json", { env });
    await line.stop();
    expect([shown.json(), rows.json()]).toMatchObject([{ unknown: 2 }, [{}, {}]]);
    for (const { err } of [shown, rows])
      expect(err).toContain(`was made at ${elsewhere}, this is ${line.baseUrl}`);
  });
});

test("a sandbox that was started anew on another port: the run goes on, each row once", async () => {
  const first = nextBatch();
  const at = shell();
  const before = await over("dropBefore");
  const stdin = rowsOf(2, first);
  const begun = await at(sending("--staged", "--settle", "0"), { stdin, env: before.env });
  await before.line.stop();
  expect(begun.code, begun.err).toBe(11);
  const { line, env } = await over();
  expect(line.baseUrl).not.toBe(before.line.baseUrl);
  const { code, err } = await at("send-many --resume last", { env });
  await line.stop();
  expect(code, err).toBe(0);
  expect(opened().countsOf(numbersOf(2, first))).toEqual([1, 1]);
});

test("a run of --once is shown by a key that looks the same", async () => {
  const [to = ""] = numbersOf(1, nextBatch());
  const send = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--once", "주문-8"];
  const at = shell({ env: envFor(opened()) });
  expect((await at(send)).code).toBe(0);
  const { code, err } = await at(["run", "show", `${"주문-8".normalize("NFD")}\r`, "--json"]);
  expect(code, err).toBe(0);
});

test.each([[[]], [["--no-tag"]]])(
  "send --once %s that a sandbox of this machine got is not called sent at the service",
  async (flags) => {
    const [to = ""] = numbersOf(1, nextBatch());
    const words = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--once", "order-9"];
    const send = [...words, ...flags];
    const env = envFor(opened());
    const at = shell({ env });
    expect((await at(send)).code).toBe(0);
    const closed = { ...env, MSG_BASE_URL: elsewhere, HTTPS_PROXY: "http://127.0.0.1:9" };
    const sentWith = async (key: object) => {
      const { code, err } = await at([...send, "--json"], {
        env: { ...closed, ...key },
        ...hurried(),
      });
      return [code, JSON.parse(err.trim().split("\n").at(-1) ?? "").error.outcome];
    };
    // A tunnel on this machine leads to the service, too, by the same key.
    expect(await sentWith({})).toEqual([2, "not_sent"]);
    const other = { MSG_API_KEY: "SANDBOXKEY000002", MSG_API_SECRET: secretOf(2) };
    expect(await sentWith(other)).toEqual([9, "not_sent"]);
  },
);

test("send --once that another account sent: exit 2; another key of the same one: shown", async () => {
  const [to = ""] = numbersOf(1, nextBatch());
  const send = ["send", "--to", to, "--from", "0200000000", "--text", "x", "--once", "order-10"];
  const at = shell({ env: envFor(opened()) });
  expect((await at(send)).code).toBe(0);
  const codes = [];
  for (const n of [2, 4]) {
    const key = { MSG_API_KEY: `SANDBOXKEY00000${n}`, MSG_API_SECRET: secretOf(n) };
    codes.push((await at(send, { env: { ...envFor(opened()), ...key } })).code);
  }
  expect([codes, opened().countsOf([to])]).toEqual([[0, 2], [1]]);
});

test("send-many --once by a key that may not read its account is not called sent by that of another", async () => {
  const forbidden = { errorCode: "Forbidden", errorMessage: "not allowed" };
  const headers = { "content-type": "application/json" };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ path }) =>
      path === "/cash/v1/balance"
        ? { status: 403, headers, body: JSON.stringify(forbidden) }
        : undefined,
  });
  const env = envFor(line);
  const at = shell({ env, ...hurried() });
  const stdin = rowsOf(1, nextBatch());
  const words = sending("--once", "order-11");
  const sent = await at(words, { stdin });
  expect(sent.code, sent.err).toBe(0);
  const other = { ...env, MSG_API_KEY: "SANDBOXKEY000004", MSG_API_SECRET: secretOf(4) };
  const { code, err } = await at(words, { stdin, env: other });
  await line.stop();
  // It goes out: the service refuses the number that it is sent from, which is not this account's.
  expect(code, err).toBe(3);
});
