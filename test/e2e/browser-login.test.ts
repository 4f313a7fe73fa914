import { once } from "node:events";
import { expect, test } from "vitest";
import { openBrowser } from "../support/browser.ts";
import { ended, program, sandboxServer } from "./program.ts";

test("in Chromium: auth login --web opens the consent page, a scope is left out, the call that needs it ends with 5", async () => {
  const msg = program();
  const { baseUrl, stop } = await sandboxServer(msg);
  const browser = await openBrowser();
  const child = msg.start(["auth", "login", "--web", "--base-url", baseUrl, "--json"], {
    env: { BROWSER: "/bin/true" },
  });
  const done = ended(child);
  const [said]: readonly unknown[] = await once(child.stderr, "data");
  const page = await browser.newPage();
  const blocked: string[] = [];
  page.on("console", (it) => void (it.type() === "error" && blocked.push(it.text())));
  await page.goto(/http\S+authorize\?\S+/.exec(String(said))?.[0] ?? "");
  expect(await page.getByRole("heading").textContent()).toContain("CID0SANDBOX00001");
  await page.getByLabel("send messages").uncheck();
  expect(await page.getByRole("checkbox").count()).toBe(7);
  expect(blocked.filter((it) => !it.includes("favicon"))).toEqual([]);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByText("go back to the terminal").waitFor();

  const { code, out, err } = await done;
  expect(code, err).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ kind: "token", user: { memberId: "MEMSANDBOX0001" } });
  expect(out).not.toContain("message:write");
  expect((await msg(["message", "list"])).code).toBe(0);
  const send = ["send", "--to", "01000000001", "--from", "0200000000", "--text", "hello"];
  const refused = await msg(send);
  expect(refused.code).toBe(5);
  expect(refused.err).toContain("message:write");
  expect((await stop()).code).toBe(0);
});
