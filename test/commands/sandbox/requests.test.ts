/** `msg sandbox requests -f`: the log as it grows. */
import { expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

const send = "send --sandbox --from 0200000000 --text hi -q --to";

test("-f shows what was logged, then each request as it comes in, also after a reset", async () => {
  const stop = new AbortController();
  const msg = shell();
  const steps = [
    () => msg(`${send} 01000000002`),
    () => msg("balance --sandbox"),
    () => msg("sandbox reset"),
    () => msg("price 82 --sandbox"),
    async () => stop.abort(),
  ];
  await msg(`${send} 01000000001`);
  const wait = async (): Promise<void> => {
    await steps.shift()?.();
  };
  const line = "sandbox requests -f -o tsv --no-header --fields method,path";
  const { code, out } = await msg(line, { wait, signal: stop.signal });
  expect(code).toBe(130);
  expect(out.split("\n").map((it) => it.split("?")[0])).toEqual([
    "GET\t/cash/v1/balance",
    "POST\t/messages/v4/send",
    "GET\t/cash/v1/balance",
    "POST\t/messages/v4/send",
    "GET\t/cash/v1/balance",
    "GET\t/pricing/v1/messaging",
    "",
  ]);
});

test("a place to go back to makes no sense with -f", async () => {
  const { code, err } = await shell()("sandbox requests -f --start-key 3");
  expect(code).toBe(2);
  expect(err).toContain("--start-key");
});
