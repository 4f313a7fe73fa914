/** Two processes meet the end of one token at once: one of them gets another, and both go on. */
import { once } from "node:events";
import * as v from "valibot";
import { expect, test } from "vitest";
import { consent, go } from "../commands/auth/browser.ts";
import { ended, type Program, program, sandboxServer } from "./program.ts";

const Log = v.object({ requests: v.array(v.object({ path: v.string(), verdict: v.string() })) });

const control = async (baseUrl: string, method: string, path: string, body: unknown) => {
  const { status, text } = await go(`${baseUrl}/_sandbox/${path}`, {
    method,
    body: JSON.stringify(body),
  });
  expect(status, text).toBe(200);
};

/** What came in at a path, oldest first, in the words of the log. */
const verdicts = async (baseUrl: string, path: string): Promise<readonly string[]> => {
  const { text } = await go(`${baseUrl}/_sandbox/requests?limit=500`);
  const { requests } = v.parse(Log, JSON.parse(text));
  const found = requests.filter((it) => it.path.split("?")[0] === path);
  return found.map(({ verdict }) => verdict).reverse();
};

const login = async (msg: Program, baseUrl: string): Promise<void> => {
  const line = ["auth", "login", "--web", "--base-url", baseUrl, "--json"];
  const child = msg.start(line, { env: { BROWSER: "/bin/true" } });
  const done = ended(child);
  const [said]: readonly unknown[] = await once(child.stderr, "data");
  await go(await consent(/http\S+authorize\?\S+/.exec(String(said))?.[0] ?? ""));
  expect(await done).toMatchObject({ code: 0 });
};

test("O08: of two processes that find one token at its end, one asks for another and both go on", async () => {
  const msg = program();
  const { baseUrl, stop } = await sandboxServer(msg);
  await login(msg, baseUrl);
  const tokenPath = "/oauth2/v1/access_token";
  const before = await verdicts(baseUrl, tokenPath);
  await control(baseUrl, "PUT", "clock", { advance: "25h" });
  // The answer is held back until the other process has surely met the end as well.
  await control(baseUrl, "POST", "faults", { on: `POST ${tokenPath}`, do: "delay:4s" });
  const list = () => msg(["message", "list", "--json"]);
  const ends = await Promise.all([list(), list()]);
  const well = { code: 0, err: "no results\n" };
  expect(ends).toMatchObject([well, well]);
  expect(await verdicts(baseUrl, "/messages/v4/list")).toEqual([
    "Unauthorized",
    "Unauthorized",
    "ok",
    "ok",
  ]);
  expect(await verdicts(baseUrl, tokenPath)).toHaveLength(before.length + 1);
  await stop();
});
