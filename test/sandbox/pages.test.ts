/** The pages as a browser's requests meet them: headers, forms, languages, and that all are listed. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { explain } from "../../src/message/explain.ts";
import { statusCodes, statusMeaning } from "../../src/message/status.ts";
import { withLanguage } from "../../src/sandbox/pages/language.ts";
import { pages } from "../../src/sandbox/pages/layout.ts";
import { authorizeTarget } from "./apps.ts";
import { exchange } from "./doors.ts";
import { serveAll } from "./serve.ts";

const served = serveAll();

type Headers = Readonly<Record<string, string>>;

const ask = (
  path: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Headers; body?: string } = {},
) => exchange(served.url, method, path, headers, Buffer.from(body));

const addresses = pages.map(({ name }) => (name === "" ? "/_sandbox/" : `/_sandbox/pages/${name}`));
const files = ["style.css", "script.js", "icon.svg"].map((it) => `/_sandbox/pages/${it}`);

describe("headers", () => {
  test.each([...addresses, ...files])("of %s", async (path) => {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-security-policy":
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
    });
  });

  test.each(addresses)("no script, style or handler stands in %s itself", async (path) => {
    const { text } = await ask(path);
    expect(text.match(/<script(?![^>]* src="\/_sandbox\/pages\/script\.js")/g)).toBeNull();
    expect(text.match(/<style|\sstyle=|\son[a-z]+=/g)).toBeNull();
  });

  test("a name that was pointed at this machine gets no page", async () => {
    expect((await ask("/_sandbox/", { headers: { host: "evil.example" } })).status).toBe(421);
  });
});

describe("forms", () => {
  const typed = { "content-type": "application/x-www-form-urlencoded" };
  const own = () => ({ ...typed, origin: served.url });
  const path = "/_sandbox/pages/codes";
  const tokenOf = async (): Promise<string> =>
    /name="token" value="([^"]+)"/.exec((await ask(path)).text)?.[1] ?? "";
  const post = (headers: Headers, body: string) => ask(path, { method: "POST", headers, body });
  const off = "action=factor&secondFactor=off";

  test("without the token, with another, without an origin, of a foreign origin: 403", async () => {
    const token = await tokenOf();
    expect(token).toMatch(/^[\w-]{32}$/);
    const foreign = { ...typed, origin: "http://evil.example" };
    const answers = [
      await post(own(), off),
      await post(own(), `${off}&token=${token.slice(1)}x`),
      await post(typed, `${off}&token=${token}`),
      await post({ ...typed, origin: "null" }, `${off}&token=${token}`),
      await post(foreign, `${off}&token=${token}`),
      await post({ ...own(), "sec-fetch-site": "cross-site" }, `${off}&token=${token}`),
    ];
    expect(answers.map((it) => it.status)).toEqual([403, 403, 403, 403, 403, 403]);
    expect(answers[0]?.text).toContain('role="alert"');
    expect((await ask(path)).text).toContain("Turn it off");
  });

  test("another kind of body is 415, a large one 413, an unknown action 400", async () => {
    const token = await tokenOf();
    const json = { ...own(), "content-type": "application/json" };
    expect((await post(json, JSON.stringify({ token }))).status).toBe(415);
    expect((await post(own(), `token=${token}&x=${"x".repeat(70_000)}`)).status).toBe(413);
    expect((await post(own(), `token=${token}&action=constructor`)).status).toBe(400);
  });

  test("with the token it is done, said once, and not done again by a reload", async () => {
    const done = await post(own(), `${off}&token=${await tokenOf()}`);
    expect([done.status, done.headers.location]).toEqual([303, `${path}?said=factor`]);
    const after = await ask(`${path}?said=factor`);
    expect(after.text).toContain("The setting was changed.");
    expect(after.text).toContain("Turn it on");
  });

  test("what the control route refuses is said with its status", async () => {
    const body = `action=factor&secondFactor=maybe&token=${await tokenOf()}`;
    const refused = await post(own(), body);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/role="alert">.*secondFactor/);
  });
});

describe("languages", () => {
  const languageOf = async (path: string, headers: Headers) =>
    /<html lang="(..)">/.exec((await ask(path, { headers })).text)?.[1];

  test("by the address, then the cookie, then what the browser prefers", async () => {
    const cookie = "a=b; sandbox-language=ko";
    expect(await languageOf("/_sandbox/", {})).toBe("en");
    expect(await languageOf("/_sandbox/", { "accept-language": "fr, ko-KR;q=0.9, en" })).toBe("ko");
    expect(await languageOf("/_sandbox/", { "accept-language": "en", cookie })).toBe("ko");
    expect(await languageOf("/_sandbox/?lang=en", { cookie })).toBe("en");
    const { headers } = await ask("/_sandbox/?lang=ko");
    expect(String(headers["set-cookie"])).toMatch(
      /^sandbox-language=ko; HttpOnly; SameSite=Strict/,
    );
    expect((await ask("/_sandbox/?lang=xx")).headers["set-cookie"]).toBeUndefined();
  });

  test("the consent page follows the same rule, and names scopes in it", async () => {
    const korean = (await ask(authorizeTarget(), { headers: { "accept-language": "ko" } })).text;
    expect(korean).toContain('<html lang="ko">');
    expect(korean).toContain("메시지 발송 <code>message:write</code>");
    const english = (await ask(authorizeTarget(), { headers: {} })).text;
    expect(english).toContain("send messages <code>message:write</code>");
    expect(english).not.toMatch(/[가-힣]/);
  });

  test.each(addresses)("%s is in both", async (path) => {
    const korean = (await ask(`${path}?lang=ko`)).text;
    const english = (await ask(`${path}?lang=en`)).text;
    const heading = (text: string) => /<h1>(.*)<\/h1>/.exec(text)?.[1];
    expect(heading(korean)).toMatch(/[가-힣]/);
    expect(heading(english)).toMatch(/^[\x20-\x7e]+$/);
    expect(english.replaceAll(/한국어|안녕하세요/g, "")).not.toMatch(/[가-힣]/);
  });
});

test("every status code is explained in Korean too, and none that is not published", async () => {
  const codes = [...statusCodes.keys()];
  const english = (code: string) =>
    !/[가-힣]/.test(statusMeaning(code)) || !/[가-힣]/.test(`${explain(code)?.todo}`);
  expect(await withLanguage("ko", () => codes.filter(english))).toEqual([]);
  expect(await withLanguage("ko", () => explain("3999"))).toBeUndefined();
});

test("every page is in the navigation, once, and every file of a page is listed", async () => {
  const { text } = await ask("/_sandbox/");
  for (const address of addresses) expect(text.split(`<li><a href="${address}"`)).toHaveLength(2);
  const files = readdirSync(new URL("../../src/sandbox/pages", import.meta.url));
  const names = files.filter((it) => it.endsWith(".ts")).map((it) => it.replace(".ts", ""));
  const load = (name: string) => import(`../../src/sandbox/pages/${name}.ts`);
  const loaded = await Promise.all(names.map(load));
  const isPage = (it: unknown) =>
    typeof it === "object" && it !== null && "show" in it && "title" in it;
  const declared = loaded.flatMap((module) => Object.values(module).filter(isPage));
  expect(new Set(declared)).toEqual(new Set(pages));
});
