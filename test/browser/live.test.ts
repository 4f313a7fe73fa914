/** What another process sends is on the page without a reload. */
import { expect, test } from "vitest";
import { ended, program, sandboxServer, sendTo } from "../e2e/program.ts";
import { accountJson, cardJson, errorOf } from "../support/money.ts";
import { patience, visitor } from "./visitor.ts";

const { msg, visit, open } = visitor();

test(
  "msg send in a terminal: the bubble appears on the phone, and then that it was delivered",
  patience,
  async () => {
    const terminal = program();
    const { baseUrl, stop } = await sandboxServer(terminal);
    const { page } = await open(`${baseUrl}/_sandbox/?to=01000000001`);
    await page.locator('#line[data-state="on"]').waitFor();
    expect(await page.locator(".message").count()).toBe(0);
    await page.evaluate("window.sameDocument = true");

    const sent = ended(terminal.start(sendTo("01000000001", "-y")));
    await page.locator(".bubble", { hasText: "안녕하세요" }).waitFor();
    await page.locator(".message.good .state", { hasText: "4000" }).waitFor();
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    expect((await sent).code).toBe(0);
    expect((await stop()).code).toBe(0);
  },
);

test("a second factor is answered with the code that the page shows", patience, async () => {
  const { page, wrongs } = await visit("/_sandbox/pages/codes");
  const line = "payment add --sandbox --input - --confirm 1111 --json";
  const first = await msg(`${line} --otp-by voice`, { stdin: cardJson() });
  const { mfa } = errorOf(first);
  const code = await page.locator(".code.open output").first().textContent();
  expect(code).toMatch(/^\d{6}$/);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.locator(".code.open").getByRole("button", { name: "Copy" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(code);
  expect(await page.locator(".code .kind").first().textContent()).toBe("Voice call");
  const account = "payment bank add --sandbox --input - --confirm 8901 --json --otp-by voice";
  await msg(account, { stdin: accountJson() });
  await page.locator(".code.open").nth(1).waitFor();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const second = await msg(`${line} --otp-transaction ${mfa?.transactionId} --otp ${code}`, {
    stdin: cardJson(),
  });
  expect(second.code, second.err).toBe(0);
  await page.locator(".code.used").first().waitFor();
  expect(wrongs).toEqual([]);
});

test("what is opened, chosen or typed stays while rows arrive", patience, async () => {
  const { page } = await visit("/_sandbox/pages/requests");
  await page.getByLabel("Path").fill("/cash");
  const rows = await page.locator("#requests tr").count();
  expect((await msg("balance --sandbox")).code).toBe(0);
  await page.locator(`#requests tr:nth-child(${rows + 1})`).waitFor();
  expect(await page.getByLabel("Path").inputValue()).toBe("/cash");
  expect(await page.evaluate("document.activeElement.id")).toBe("q");
});
