/** That everybody can use the pages: by keyboard, on a narrow screen, enlarged, in either language. */
import { expect, test } from "vitest";
import { pages } from "../../src/sandbox/pages/layout.ts";
import { addressOf } from "../../src/sandbox/pages/page.ts";
import { authorizeTarget } from "../sandbox/apps.ts";
import { patience, sendFrom, visitor } from "./visitor.ts";

const { msg, visit } = visitor();
const send = sendFrom(msg);
const addresses = pages.map(({ name }) => addressOf(name));

test("no page scrolls sideways at 320 pixels, which is also 1280 at 400 %", patience, async () => {
  await send("01000000001", "가나다라마바사 ".repeat(20));
  await send("01000003104", `https://example.com/${"a".repeat(200)}`);
  const { page, wrongs } = await visit("/_sandbox/");
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  const origin = new URL(page.url()).origin;
  for (const path of [...addresses, "/_sandbox/?to=01000003104", authorizeTarget()]) {
    await page.goto(origin + path);
    const width = await page.evaluate("document.documentElement.scrollWidth");
    expect(width, path).toBe(320);
  }
  expect(wrongs).toEqual([]);
});

test(
  "by keyboard: the link to the content is first, and everything that can be used is reached",
  patience,
  async () => {
    const { page } = await visit("/_sandbox/?to=01000000001");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    expect(await page.locator(".skip").boundingBox()).toMatchObject({ y: 0 });
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");

    await page.reload();
    await page.locator('#line[data-state="on"]').waitFor();
    const usable = "a[href], button, input:not([type=hidden]), select, summary, [tabindex='0']";
    const visible = `[...document.querySelectorAll("${usable}")].filter((it) => it.checkVisibility())`;
    const many = Number(await page.evaluate(`${visible}.length`));
    for (let at = 0; at < many; at += 1) {
      await page.keyboard.press("Tab");
      const isNext = `${visible}[${at}] === document.activeElement`;
      expect(await page.evaluate(isNext), `the ${at}. thing`).toBe(true);
      const outline = "getComputedStyle(document.activeElement).outlineStyle";
      expect(await page.evaluate(outline), `the ${at}. thing shows the focus`).toBe("solid");
    }
  },
);

test(
  "every field has a name, and every page one heading, one main part and its language",
  patience,
  async () => {
    const { page } = await visit("/_sandbox/");
    for (const path of addresses) {
      await page.goto(page.url().replace(/\/_sandbox\/.*/, path));
      const nameless = `[...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
      .filter((it) => it.labels.length === 0 && !it.ariaLabel).map((it) => it.name)`;
      expect(await page.evaluate(nameless), path).toEqual([]);
      expect(await page.locator("h1").count()).toBe(1);
      expect(await page.getByRole("main").count()).toBe(1);
      const twice = `[...document.querySelectorAll("[id]")].map((it) => it.id)
      .filter((id, at, all) => all.indexOf(id) !== at)`;
      expect(await page.evaluate(twice), path).toEqual([]);
    }
  },
);

/** Relative luminance of what a computed colour says (WCAG 2.2). */
const contrastScript = `(() => {
  const parse = (it) => it.match(/[\\d.]+/g).map(Number);
  const linear = (it) => (it /= 255) <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const groundOf = (it) => {
    for (; it; it = it.parentElement) {
      const ground = parse(getComputedStyle(it).backgroundColor);
      if (ground.length === 3 || ground[3] === 1) return ground;
    }
    return [255, 255, 255];
  };
  const texts = [...document.querySelectorAll("main *, header *, nav *")].filter((it) =>
    it.checkVisibility() && [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return texts.flatMap((it) => {
    const [a, b] = [light(parse(getComputedStyle(it).color)), light(groundOf(it))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return ratio < 4.5 ? [it.className + " " + it.textContent.slice(0, 30) + " " + ratio.toFixed(2)] : [];
  });
})()`;

test("text stands out from its ground, light and dark", patience, async () => {
  await send("01000003104", "not there");
  const { page } = await visit("/_sandbox/");
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of [...addresses, "/_sandbox/?to=01000003104"]) {
    await page.goto(page.url().replace(/\/_sandbox\/.*/, path));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(contrastScript), `${path} ${colorScheme}`).toEqual([]);
    }
  }
});

test("a switch is seen where the system forces its colours", patience, async () => {
  const { page } = await visit("/_sandbox/pages/faults");
  await page.emulateMedia({ forcedColors: "active" });
  const groundOf = (it: string) =>
    page.evaluate(`getComputedStyle(document.querySelector("${it}")).backgroundColor`);
  expect(await groundOf(".track")).not.toBe(await groundOf("main .panel"));
});

test("the language is switched on the page and stays", patience, async () => {
  const { page, wrongs } = await visit("/_sandbox/pages/feed?q=hello");
  await page.getByRole("link", { name: "한국어" }).click();
  await page.getByRole("heading", { name: "전체 메시지" }).waitFor();
  expect(await page.getByLabel("내용").inputValue()).toBe("hello");
  await page.getByRole("link", { name: "인증번호" }).click();
  await page.getByRole("heading", { name: "인증번호", level: 1 }).waitFor();
  await page.getByRole("link", { name: "English" }).click();
  await page.getByRole("heading", { name: "Codes" }).waitFor();
  expect(wrongs).toEqual([]);
});
