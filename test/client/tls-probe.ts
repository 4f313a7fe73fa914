/** A program of its own, since Node reads NODE_EXTRA_CA_CERTS when it starts: one read per address. */
import { randomBytes } from "node:crypto";
import { createClient } from "../../src/client/index.ts";
import { createNetwork } from "../../src/client/transport/network.ts";
import { getBalance } from "../../src/contract/cash.ts";
import { MsgError } from "../../src/errors.ts";

const wait = async (): Promise<void> => undefined;

const probe = async (url: string): Promise<unknown> => {
  const end = createNetwork({ url, env: process.env, timeoutMs: undefined, wait });
  const client = createClient({
    transports: { base: end.send, auth: end.send },
    credentials: { kind: "key", apiKey: "SANDBOXKEY000001", apiSecret: "SANDBOXSECRET" },
    now: () => new Date(),
    ticks: () => performance.now(),
    random: randomBytes,
    wait,
    close: end.close,
  });
  try {
    return await client.call(getBalance, {});
  } catch (error) {
    if (!(error instanceof MsgError)) throw error;
    const { code, exitCode, outcome, message } = error;
    return { code, exitCode, outcome, message };
  } finally {
    await client.close();
  }
};

const results: unknown[] = [];
for (const url of process.argv.slice(2)) results.push(await probe(url));
process.stdout.write(JSON.stringify(results));
