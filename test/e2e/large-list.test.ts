/** A list as large as the largest answer that is read: it needs a small heap only. */
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
