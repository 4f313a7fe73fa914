/** The language of a profile, however the line names the profile. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";

test("the profile of a line says the language, before the locale and after --lang and MSG_LANG", async () => {
  const at = shell({ env: { NO_COLOR: "1", LANG: "en_US.UTF-8" } });
  await at("profile set lang ko -p sandbox");
  const said = async (line: string, env = {}) =>
    (await at(`balance ${line} --fail-below 9999999`, { env })).err;
  for (const line of [
    "--sandbox",
    "-p sandbox",
    "-psandbox",
    "--profile sandbox",
    "--profile=sandbox",
  ])
    expect(await said(line), line).toContain("오류: 잔액이");
  expect(await said("--sandbox --lang en")).toContain("error: the balance");
  expect(await said("--sandbox", { MSG_LANG: "en" })).toContain("error: the balance");
  expect(await said("-p sandbox:developer")).toContain("error: the balance");
});
