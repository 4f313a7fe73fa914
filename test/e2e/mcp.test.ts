/** `msg mcp` as an assistant meets it: the SDK's own client, a real pipe, both doors; commands beside it, in this process. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { consent, go } from "../commands/auth/browser.ts";
import { type AtHome, atHome } from "../faults/at-home.ts";
import { untilStopped } from "../sandbox/doors.ts";
import type { Options } from "../support/msg.ts";
import { envOf, secretOf } from "../support/signer.ts";
import { entry, program, sandboxServer, sendTo } from "./program.ts";

const connect = async (
  msg: AtHome,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) => {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...entry, "mcp", ...args],
    env: { ...msg.env, ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Readonly<Record<string, unknown>> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } });
    const [first]: readonly { readonly text?: string }[] = Array.isArray(content) ? content : [];
    return { isError: isError === true, text: first?.text ?? "" };
  };
  return { client, call, transport };
};

/** Words of every command that sends or moves money, as an assistant may guess them. */
const guesses = [
  ...["send", "send_messages", "send_group", "group_send", "many_send", "send_many"],
  ...["charge_balance", "balance_charge", "transfer_balance", "request_withdraw_payment"],
  ...["add_payment", "api", "set_profile", "token_auth", "resend_group", "create_template"],
];

const doors = [
  ["in its process", async () => ({ msg: atHome(), args: ["--sandbox"], env: {} })],
  [
    "over HTTP",
    async () => {
      const msg = atHome();
      const server = await sandboxServer(msg);
      onTestFinished(async () => void (await server.stop()));
      return { msg, args: [], env: envOf(server.baseUrl) };
    },
  ],
] as const;

test.each(doors)("a client that asks for everything spends nothing, %s", async (_door, open) => {
  const { msg, args, env } = await open();
  expect((await msg(sendTo("01000000001"))).code).toBe(0);
  const before = (await msg(["balance", "--sandbox", "--json"])).out;
  const { client, call } = await connect(msg, args, env);
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThanOrEqual(8);
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["list_message", "balance"]),
  );
  expect(tools.filter(({ name }) => /^(send|charge|transfer|withdraw)/.test(name))).toEqual([]);
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  const messages = [{ to: "01000000009", text: "hi", from: "0200000000" }];
  const everything = { messages, to: ["01000000009"], token: "x", amount: 1000, yes: true };
  for (const name of guesses) expect((await call(name, everything)).isError, name).toBe(true);
  const given = {
    run: "last",
    text: "hi",
    code: "3104",
    country: "82",
    groupId: "G",
    messageId: "M",
  };
  for (const { name, inputSchema } of tools) {
    const known = Object.keys(inputSchema.properties ?? {});
    await call(
      name,
      Object.fromEntries(Object.entries(given).filter(([key]) => known.includes(key))),
    );
    // No value becomes a flag, and none names a file: that is decided before any door.
    for (const key of args.length > 0 ? known.filter((it) => !(it in given)).slice(0, 3) : [])
      for (const value of ["--yes", "@/etc/passwd", "in:@/etc/passwd"])
        expect((await call(name, { [key]: value })).text).not.toContain("root:");
  }
  expect((await call("check_text", { text: "-" })).text).toContain('"characters": 1');
  expect((await msg(["balance", "--sandbox", "--json"])).out).toBe(before);
  expect((await msg(["sandbox", "inbox", "list", "--to", "01000000009"])).out).toBe("");
});

test("recipients are masked unless a person says so; the secret never appears", async () => {
  const [, [, open]] = doors;
  const { msg, args, env } = await open();
  await msg(sendTo("01000000001"));
  await msg(["sandbox", "clock", "advance", "1m"]);
  const masked = await connect(msg, args, env);
  const { text } = await masked.call("list_message");
  expect(text).toContain('"to": "010****0001"');
  expect(text).not.toContain("01000000001");
  expect(JSON.parse(text)).toMatchObject({ nextKey: null });
  const inbox = await masked.client.readResource({ uri: "msg://sandbox/inbox" });
  expect(JSON.stringify(inbox)).toContain("010****0001");
  expect(JSON.stringify(inbox)).not.toContain("01000000001");
  const shown = await connect(msg, [...args, "--show-numbers"], env);
  expect((await shown.call("list_message")).text).toContain("01000000001");
  for (const { name } of (await shown.client.listTools()).tools)
    expect((await shown.call(name)).text).not.toContain(env.MSG_API_SECRET);
});

test("a message that is too long for the protocol's library ends with a reason", async () => {
  const { code, err } = await program()(["mcp", "--sandbox"], { stdin: "x".repeat(11 * 2 ** 20) });
  expect({ code, err }).toEqual({
    code: 2,
    err: "error: the assistant sent a message of more than 10 MiB\n",
  });
});

test("a signal ends it although the assistant's stream stays open", async () => {
  const { client, transport } = await connect(atHome(), ["--sandbox"]);
  const ended = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  process.kill(transport.pid ?? 0, "SIGTERM");
  await ended;
});

test("help, status codes and the sandbox's phones are resources", async () => {
  const { client } = await connect(atHome(), ["--sandbox"]);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining(["msg://help/sending", "msg://status-codes", "msg://sandbox/inbox"]),
  );
  const { contents } = await client.readResource({ uri: "msg://status-codes" });
  expect(JSON.stringify(contents)).toContain("recipient does not use Kakao Talk");
  await expect(client.readResource({ uri: "msg://help/../secret" })).rejects.toThrow("no resource");
});

test.each(doors)("with all three flags it sends by plan and token, %s", async (_door, open) => {
  const { msg, args, env } = await open();
  await msg(["balance", "--sandbox"]);
  const limits = ["--allow-send", "--max-cost", "40", "--max-recipients", "5"];
  const { client, call } = await connect(msg, [...args, ...limits], env);
  const { tools } = await client.listTools();
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === false)).toHaveLength(1);
  const messages = [{ to: "01000000001" }, { to: "01000000002" }];
  const plan = await call("send_messages", { messages, text: "hi", from: "0200000000" });
  expect(plan.isError, plan.text).toBe(false);
  expect((await msg(["message", "list", "--sandbox"])).out).toBe("");
  const { token } = Object(JSON.parse(plan.text));
  const sent = await call("send_messages", { token });
  expect(JSON.parse(sent.text)).toMatchObject({ accepted: 2, cost: 40 });
  const more = await call("send_messages", { messages, text: "ho", from: "0200000000" });
  expect(more.text).toContain("of --max-cost 0 won are left");
  for (const name of guesses.filter((it) => it !== "send_messages"))
    expect((await call(name)).isError, name).toBe(true);
});

test("it keeps its profile when another becomes the current one", async () => {
  const msg = atHome();
  const accountOf = async ({ call }: Awaited<ReturnType<typeof connect>>) =>
    Object(JSON.parse((await call("balance")).text)).accountId;
  await msg(["profile", "use", "sandbox"]);
  const first = await connect(msg, []);
  await msg(["profile", "use", "sandbox:unverified"]);
  const second = await connect(msg, []);
  expect([await accountOf(first), await accountOf(second)]).toEqual([
    "26010500000001",
    "26010500000002",
  ]);
});

/** The flags of a login and what it meets: of a member, as the key of the same number. */
const logins = [
  [
    "with a key",
    (n: number) => [`--api-key SANDBOXKEY00000${n} --secret-stdin`, { stdin: secretOf(n) }],
  ],
  [
    "in the browser",
    (n: number) => [
      "--web",
      {
        wait: (_ms, signal) => untilStopped(0, signal ?? new AbortController().signal),
        open: async (address) =>
          void (await go(await consent(address, { memberId: `MEMSANDBOX000${n}` }))),
      },
    ],
  ],
] satisfies readonly (readonly [string, (n: number) => readonly [string, Options]])[];

test.each(logins)(
  "a token sends nothing once the profile is logged in to another account, %s",
  async (_how, loginOf) => {
    const msg = atHome();
    const server = await sandboxServer(msg);
    onTestFinished(async () => void (await server.stop()));
    const logIn = async (n: number) => {
      const [flags, met] = loginOf(n);
      const line = `auth login -p shop --base-url ${server.baseUrl} ${flags}`;
      expect((await msg(line, met)).code).toBe(0);
    };
    await logIn(1);
    const flags = ["-p", "shop", "--allow-send", "--max-cost", "40", "--max-recipients", "5"];
    const { call } = await connect(msg, flags);
    const messages = [{ to: "01000000001", text: "hi", from: "0200000000" }];
    const { token } = Object(JSON.parse((await call("send_messages", { messages })).text));
    await logIn(4);
    const refused = await call("send_messages", { token });
    expect(refused.text).toContain("the login of profile 'shop' was changed since");
    expect((await msg("message list -p shop --json")).json()).toEqual([]);
  },
);

test("a call that is cancelled while it waits for others sends nothing; its token holds", async () => {
  const msg = atHome();
  await msg(["balance", "--sandbox"]);
  const flags = ["--sandbox", "--allow-send", "--max-cost", "40", "--max-recipients", "5"];
  const { client, call } = await connect(msg, flags);
  const messages = [{ to: "01000000001", text: "hi", from: "0200000000" }];
  const { token } = Object(JSON.parse((await call("send_messages", { messages })).text));
  const fault = ["--on", "GET /messages/v4/list", "--do", "delay:1s", "--times", "1"];
  expect((await msg(["sandbox", "fault", "add", ...fault])).code).toBe(0);
  const before = call("list_message");
  const stop = new AbortController();
  const line = { name: "send_messages", arguments: { token } };
  const cancelled = client.callTool(line, undefined, { signal: stop.signal });
  stop.abort();
  await expect(cancelled).rejects.toThrow();
  await before;
  expect((await call("list_message")).text).toContain('"items": []');
  expect((await call("send_messages", { token })).isError).toBe(false);
});

test("of two plans that are sent at the same moment, the second meets what the first has left", async () => {
  const msg = atHome();
  await msg(["balance", "--sandbox"]);
  const flags = ["--sandbox", "--allow-send", "--max-cost", "30", "--max-recipients", "5"];
  const { call } = await connect(msg, flags);
  const planned = async (to: string): Promise<string> => {
    const messages = [{ to, text: "hi", from: "0200000000" }];
    return Object(JSON.parse((await call("send_messages", { messages })).text)).token;
  };
  const tokens = [await planned("01000000001"), await planned("01000000002")];
  const sent = await Promise.all(tokens.map((token) => call("send_messages", { token })));
  expect(sent.map(({ isError }) => isError)).toEqual([false, true]);
  expect(sent[1]?.text).toContain("of --max-cost 10 won are left");
});

test.each([
  [["--allow-send"]],
  [["--allow-send", "--max-cost", "100"]],
  [["--allow-send", "--max-recipients", "1"]],
  [["--max-cost", "100", "--max-recipients", "1"]],
])("%s alone is refused", async (flags) => {
  const { code, err } = await atHome()(["mcp", "--sandbox", ...flags]);
  expect(code).toBe(2);
  expect(err).toContain(
    "an assistant sends with --allow-send, --max-cost and --max-recipients only",
  );
});
