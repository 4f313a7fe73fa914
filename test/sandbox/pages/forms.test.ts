/** What forms and lists of the pages keep of what was typed and written. */
import { expect, test } from "vitest";
import { addressOf } from "../../../src/sandbox/pages/page.ts";
import { authorization } from "../../support/signer.ts";
import { start } from "../doors.ts";
import { serveAll } from "../serve.ts";

const served = serveAll();
const page = async (name: string): Promise<string> =>
  (await fetch(`${served.url}${addressOf(name)}?lang=en`)).text();

/** The values of a form's fields, by name. */
const fieldsOf = (text: string): URLSearchParams => {
  const form = text.split('name="action" value="account"')[1]?.split("</form>")[0] ?? "";
  const found = [...form.matchAll(/name="([a-z-]+)"[^>]*? value="([^"]*)"/gi)];
  return new URLSearchParams(
    Object.fromEntries(found.map(([, name = "", value = ""]) => [name, value])),
  );
};

const post = async (fields: URLSearchParams): Promise<string> => {
  const token = /name="token" value="([^"]+)"/.exec(await page("clock"))?.[1] ?? "";
  const body = new URLSearchParams({ ...Object.fromEntries(fields), token, action: "account" });
  const headers = { origin: served.url };
  const address = `${served.url}${addressOf("clock")}?lang=en`;
  const answer = await fetch(address, { method: "POST", body, headers, redirect: "manual" });
  return `${answer.status} ${await answer.text()}`;
};

const call = (method: string, path: string, content?: object) =>
  fetch(served.url + path, {
    method,
    headers: { authorization: authorization({ date: start }), "content-type": "application/json" },
    ...(content && { body: JSON.stringify(content) }),
  });

test("a balance that nobody touched is not put back, though its form came back once", async () => {
  const fields = fieldsOf(await page("clock"));
  fields.set("sender", "12");
  const refused = await post(fields);
  expect(refused).toMatch(/^422 /);
  await call("PUT", "/_sandbox/settings", { balance: 400 });
  const again = fieldsOf(await post(fields));
  again.set("sender", "0212345678");
  expect(await post(again)).toMatch(/^303 /);
  expect(await (await call("GET", "/cash/v1/balance")).json()).toMatchObject({ balance: 400 });
});

test("the beginning of a long text is not cut within a character", async () => {
  const message = { to: "01000000001", from: "0200000000", text: `${"a".repeat(59)}😀 and more` };
  expect((await call("POST", "/messages/v4/send", { message })).status).toBe(200);
  const thread = (await page("")).split('class="last"')[1]?.split("</a>")[0];
  expect(thread).toContain("aaa");
  expect(thread).not.toContain("\ufffd");
});
