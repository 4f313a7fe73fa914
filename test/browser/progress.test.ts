/** How far a run is, as its page shows it while it is looked at: the same as `msg run watch`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { patience, visitor } from "./visitor.ts";

const { msg, visit } = visitor();

test("the page of a run moves on by itself, and names what failed", patience, async () => {
  await msg("sandbox set --sandbox --tick 1h");
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, "to\n01000000001\n01000003104\n01000001060\n");
  const line = ["send-many", file, "--sandbox", "--from", "0200000000", "--text", "hi", "-y"];
  const sent = await msg([...line, "--json"]);
  expect(sent.code, sent.err).toBe(3);
  const { run } = Object(sent.json());
  const { page, wrongs } = await visit(`/_sandbox/pages/groups?run=${run}`);
  const figures = page.locator("#progress-now dd");
  expect((await figures.allTextContents()).slice(0, 4)).toEqual(["2", "0", "0", "2"]);
  await msg("sandbox clock advance 2h --sandbox");
  await page.locator("#progress-failures", { hasText: "3104" }).waitFor();
  expect((await figures.allTextContents()).slice(0, 4)).toEqual(["2", "1", "1", "0"]);
  expect(await page.locator("#progress-failures").textContent()).toContain(
    "recipient does not use Kakao Talk",
  );
  const bar = page.locator("svg.progress");
  expect(await bar.getAttribute("aria-label")).toBe("1 delivered of 2, 1 failed, 0 under way");
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  // The group leads to its run, and shows the same.
  await page.locator("#groups a.id").first().click();
  expect(await page.locator("main p a.id").textContent()).toBe(run);
  expect((await page.locator("#progress-now dd").allTextContents()).slice(0, 2)).toEqual([
    "2",
    "1",
  ]);
  await page.locator(".languages a").click();
  expect(await page.locator("#progress").textContent()).toBe("진행 상황");
  expect(wrongs).toEqual([]);
});

test("a run that has left nothing here is said to", patience, async () => {
  const { page, wrongs } = await visit("/_sandbox/pages/groups?lang=en&run=%3Cb%3E20260101%27--");
  expect(await page.locator(".empty").textContent()).toBe("No group here belongs to this run.");
  expect(await page.locator("h2").textContent()).toContain("<b>20260101'--");
  expect(wrongs).toEqual([]);
});
