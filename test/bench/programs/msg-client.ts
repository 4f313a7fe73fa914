/** The client of `msg` over the network, 16 calls at once. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "../../../src/client/index.ts";
import { createNetwork } from "../../../src/client/transport/network.ts";
import { sendMessage } from "../../../src/contract/messages.ts";
import { recipient, timedSends } from "./timed-sends.ts";

const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await delay(ms, undefined, signal ? { signal } : {});
};
const end = createNetwork({ url: process.argv[2] ?? "", env: {}, timeoutMs: undefined, wait });
const client = createClient({
  transports: { base: end.send, auth: end.send },
  credentials: {
    kind: "key",
    apiKey: "SANDBOXKEY000001",
    apiSecret: "SANDBOXSECRET0000000000000000000",
  },
  now: () => new Date(),
  ticks: () => performance.now(),
  random: randomBytes,
  wait,
});

await timedSends(async (index) => {
  await client.call(sendMessage, {
    body: { message: { to: recipient(index), from: "0200000000", text: "안녕하세요" } },
  });
});
await end.close();
