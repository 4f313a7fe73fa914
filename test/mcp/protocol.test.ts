/** `msg mcp` over a stream: what it offers, and that what was asked before the stream ends is answered. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";

const asked = (...requests: readonly (readonly [method: string, params: object])[]): string =>
  requests
    .map(([method, params], id) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    .join("");

const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

test("calls under way when the input ends are answered, and so is one for a resource that is not there", async () => {
  const stdin = asked(
    ["initialize", hello],
    ["tools/call", { name: "balance", arguments: {} }],
    ["tools/call", { name: "list_message", arguments: {} }],
    ["resources/read", { uri: "msg://nothing" }],
  );
  const { code, out } = await shell()("mcp --sandbox", { stdin });
  expect(code).toBe(0);
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(answers.sort((one, other) => one.id - other.id)).toMatchObject([
    { id: 0, result: { serverInfo: { name: "msg" } } },
    { id: 1, result: { isError: false, content: [{ text: expect.stringContaining("1000000") }] } },
    { id: 2, result: { isError: false, content: [{ text: expect.stringContaining("items") }] } },
    { id: 3, error: { message: expect.stringContaining("there is no resource msg://nothing") } },
  ]);
});

test("an argument is a value as it stands, and one that a tool does not have is refused", async () => {
  const texts = ["--help", "@x", "-"];
  const stdin = asked(
    ["initialize", hello],
    ...texts.map((text) => ["tools/call", { name: "check_text", arguments: { text } }] as const),
    ["tools/call", { name: "list_message", arguments: { recipient: "01000000001" } }],
  );
  const { out } = await shell()("mcp --sandbox", { stdin });
  const answers = out.trim().split("\n").slice(1);
  const results = answers.map((line) => JSON.parse(line)).sort((one, other) => one.id - other.id);
  expect(results.map(({ result }) => result)).toMatchObject([
    ...texts.map(({ length }) => ({
      isError: false,
      content: [{ text: expect.stringContaining(`"characters": ${length},`) }],
    })),
    { isError: true, content: [{ text: expect.stringContaining("no argument 'recipient'") }] },
  ]);
});

test("several values of one argument are each a value, and a command that fails is an error", async () => {
  const text = "#{name}, #{day}";
  const stdin = asked(
    ["initialize", hello],
    ["tools/call", { name: "check_text", arguments: { text, var: ["name=Kim", "day=Monday"] } }],
    ["tools/call", { name: "get_group", arguments: { groupId: "G4V1" } }],
  );
  const { out } = await shell()("mcp --sandbox", { stdin });
  const [, checked, failed] = out.trim().split("\n");
  expect(JSON.parse(checked ?? "")).toMatchObject({
    result: { isError: false, content: [{ text: expect.stringContaining('"characters": 11,') }] },
  });
  expect(JSON.parse(failed ?? "")).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('"exitCode": ') }] },
  });
});

/** A command that changes nothing and writes no file of this machine; a new one is added here by hand. */
const readingTools = `
  list_run show_run list_message get_message list_group get_group messages_group stats daily_stats failures_stats
  price check_text explain balance history_balance alert_balance list_payment auto_recharge_payment
  list_withdraw_payment list_template get_template list_channel get_channel categories_channel list_sender
  list_files get_files quota requests_quota profits_app`;

test("only what reads is offered", async () => {
  const stdin = asked(["initialize", hello], ["tools/list", {}]);
  const { out } = await shell()("mcp --sandbox", { stdin });
  const { result } = JSON.parse(out.trim().split("\n")[1] ?? "");
  const names = result.tools.map((it: { readonly name: string }) => it.name);
  expect(names).toEqual(readingTools.trim().split(/\s+/));
});
