/** What is as large as it gets: it needs a small heap only. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { key, service } from "../client/service.ts";
import { program } from "./program.ts";

const count = 400_000;
const row = (at: number): string =>
  `"M${at}":{"messageId":"M${at}","to":"01000000001","type":"SMS"}`;

test("a page of 400,000 rows is listed in a heap of 48 MB", async () => {
  const rows = Array.from({ length: count }, (_, at) => row(at)).join(",");
  const { url } = await service({ body: `{"nextKey":null,"messageList":{${rows}}}` });
  const env = {
    NODE_OPTIONS: "--max-old-space-size=48",
    MSG_API_KEY: key.apiKey,
    MSG_API_SECRET: key.apiSecret,
  };
  const words = ["message", "list", "--all", "-o", "jsonl", "--base-url", url];
  const { code, out, err } = await program()(words, { env });
  expect([code, out.split("\n").length - 1], err).toEqual([0, count]);
}, 120_000);

test("a plan of 200,000 rows is written and read in a heap of 32 MB", async () => {
  const msg = program();
  const env = { NODE_OPTIONS: "--max-old-space-size=32" };
  const file = join(msg.folder, "july.msgplan");
  const numbers = Array.from({ length: 200_000 }, (_, at) => `010${20_000_000 + at * 7},name${at}`);
  const stdin = `to,name\n${numbers.join("\n")}\n`;
  const words = ["send-many", "-", "--sandbox", "--from", "0200000000", "--text", "#{name}, hello"];
  const planned = await msg([...words, "--plan-out", file, "--json"], { env, stdin });
  expect(planned.code, planned.err).toBe(0);
  const shown = await msg(["run", "show", file, "--json"], { env });
  expect(JSON.parse(shown.out), shown.err).toMatchObject({ messages: 200_000 });
}, 120_000);
