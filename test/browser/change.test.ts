/** What a person changes on the pages holds for the commands: staff, faults, clock and settings. */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { sendFrom, visitor } from "./visitor.ts";

const { msg, base, visit } = visitor();
const send = sendFrom(msg);
const run = async (line: string): Promise<string> => {
  const { code, err, out } = await msg(line);
  expect(code, err).toBe(0);
  return out;
};

/** Repeats at once: how long it waits in between is another test's. */
const atOnce = (line: string) => msg(line, { ...hurried() });

const template = "KA01TP260101000000000SANDBOX0002";
const alimtalk = [
  ...["send", "--sandbox", "-y", "--to", "01000000031", "--from", "0200000000", "--type", "ATA"],
  "--kakao",
  JSON.stringify({
    pfId: "KA01PF260101000000000SANDBOX0001",
    templateId: template,
    variables: { name: "민지" },
  }),
];

/** The words of the control that has the focus. */
const focused = (page: Page): Promise<string | null> => page.locator(":focus").textContent();

describe("the staff's desk", () => {
  test("a template is approved on the page and then sent with", async () => {
    const { page, wrongs } = await visit("/_sandbox/pages/review");
    await page.locator('#line[data-state="on"]').waitFor();
    expect((await msg(alimtalk)).code).not.toBe(0);
    await run(`template request-review ${template} --sandbox -y`);

    const card = page.locator(`#t-${template}`);
    await card.waitFor();
    expect(await card.locator(".card .text").textContent()).toBe("#{name}님, 환영합니다.");
    await card.getByLabel("Comment (optional)").fill("Fine <b>now</b>.");
    await card.getByRole("button", { name: "Approve: welcome" }).click();
    await page.getByText("Approved.", { exact: true }).waitFor();
    expect(await card.count()).toBe(0);
    expect(await page.locator(`#latest-${template}`).textContent()).toContain("Fine <b>now</b>.");

    const sent = await msg(alimtalk);
    expect(sent.code, sent.err).toBe(0);
    expect(wrongs).toEqual([]);
    await page.close();
  });

  test("a quota is raised and a withdrawal given back, each with its words", async () => {
    const { page } = await visit("/_sandbox/pages/review");
    await page.locator("#quotas").getByRole("button", { name: "Approve" }).click();
    await page.getByText("Approved.", { exact: true }).waitFor();
    expect(await run("quota --sandbox --fields quota")).toContain("104000");

    const first = page.locator("#withdrawals li").first();
    await first.getByLabel("Comment (optional)").fill("no such holder");
    await first.getByRole("button", { name: "Reject" }).click();
    await page.getByText("Rejected.", { exact: true }).waitFor();
    expect(await page.locator("#withdrawals li").count()).toBe(2);
    expect(await run("balance --sandbox --fields balance")).toBe("1010000\n");
    await page.close();
  });
});

describe("faults", () => {
  test("one that is switched on is seen by the commands; switched off it is gone", async () => {
    const { page, wrongs } = await visit("/_sandbox/pages/faults");
    const down = page.getByRole("switch", { name: "The service is down (503)" });
    expect(await down.getAttribute("aria-checked")).toBe("false");
    await down.click();
    await page.getByText("The fault was switched on.").waitFor();
    expect(await down.getAttribute("aria-checked")).toBe("true");
    expect(await focused(page)).toContain("The service is down (503)");
    const refused = await atOnce("balance --sandbox");
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain("503");
    // A read is tried three times.
    await page.locator('#active-faults [data-label="Count"]', { hasText: "3" }).waitFor();

    await down.click();
    await page.getByText("The fault was switched off.").waitFor();
    await run("balance --sandbox");
    expect(wrongs).toEqual([]);
    await page.close();
  });

  test("of two faults one is switched off; the other is used up and disappears by itself", async () => {
    const { page } = await visit("/_sandbox/pages/faults");
    const add = page.locator("form", { has: page.getByLabel("Path") });
    const wish = async (path: string, times: string): Promise<void> => {
      await add.getByLabel("Path").fill(path);
      await add.getByLabel("What happens").selectOption("status");
      await add.getByLabel("Status").fill("500");
      await add.getByLabel("Times").fill(times);
      await add.getByRole("button", { name: "Switch on" }).click();
      await page.getByText("The fault was switched on.").waitFor();
    };
    await wish("/cash/*", "3");
    await wish("/quota/*", "");
    await page.getByRole("button", { name: "Switch off: * /quota/* status:500" }).click();
    await page.getByText("The fault was switched off.").waitFor();
    expect(await page.locator("#active-faults tbody tr").count()).toBe(1);
    await run("quota --sandbox");
    expect((await atOnce("balance --sandbox")).code).not.toBe(0);
    await page.getByText("No fault is switched on.").waitFor();
    await page.close();
  });

  test("what cannot be used is said beside its field, and what was typed stays", async () => {
    const { page } = await visit("/_sandbox/pages/faults");
    await page.getByLabel("Path").fill("messages v4");
    await page.getByLabel("Times").fill("many");
    const add = page.locator("form", { has: page.getByLabel("Path") });
    await add.getByRole("button", { name: "Switch on" }).click();
    await page.getByRole("alert").waitFor();
    const times = page.getByLabel("Times");
    expect(await times.inputValue()).toBe("many");
    expect(await page.getByLabel("Path").inputValue()).toBe("messages v4");
    expect(await times.getAttribute("aria-invalid")).toBe("true");
    const described = (await times.getAttribute("aria-describedby"))?.split(" ").at(-1);
    expect(await page.locator(`#${described}`).textContent()).toContain("from 1 to 1,000,000");
    expect(await page.evaluate("document.activeElement.name"), "the first field").toBe("path");
    await page.close();
  });
});

describe("the clock", () => {
  test("what the sandbox refuses is said in the language of the page, and the focus stays", async () => {
    const { page } = await visit("/_sandbox/pages/clock?lang=ko");
    const form = page.locator("form", { has: page.getByLabel("날짜와 시각 (한국)") });
    await page.getByLabel("날짜와 시각 (한국)").fill("1999-01-01T00:00");
    await form.getByRole("button").click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toBe(
      "요청을 처리할 수 없습니다. 2000년부터 2099년까지의 시각만 쓸 수 있습니다.",
    );
    expect(await focused(page)).toBe(await form.getByRole("button").textContent());
    // The browser keeps the language for the tests that follow.
    await page.getByRole("link", { name: "English" }).click();
    await page.close();
  });

  test("moved on by the page it lets a scheduled group go out, and the group's page tells", async () => {
    const at = new Date(Date.now() + 3 * 3_600_000).toISOString();
    const rows = "to,text\n01000000041,one\n01000000042,two\n01000003104,three\n";
    const many = await msg(`send-many - --sandbox -y --from 0200000000 --at ${at}`, {
      stdin: rows,
    });
    expect(many.code, many.err).toBe(0);
    const group = /G4V\w{29}/.exec(many.out)?.[0] ?? "";
    const watched = await visit(`/_sandbox/pages/groups?group=${group}`);
    const state = watched.page.locator("#group-about .state");
    expect(await state.textContent()).toBe("Scheduled");

    const { page, wrongs } = await visit("/_sandbox/pages/clock");
    await page.getByLabel("Move by").fill("4");
    await page
      .locator("form", { has: page.getByLabel("Move by") })
      .getByLabel("Unit")
      .selectOption("h");
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("The time was moved.").waitFor();
    expect(await page.locator("#clock-now").textContent()).toContain("4 h ahead of real time");

    await watched.page.locator("#count-of-sentSuccess", { hasText: "2" }).waitFor();
    await watched.page.locator("#group-about .state", { hasText: "Complete" }).waitFor();
    const counted = async (name: string) =>
      watched.page.locator(`#count-of-${name} dd`).textContent();
    expect(await Promise.all(["total", "sentSuccess", "sentFailed"].map(counted))).toEqual([
      "3",
      "2",
      "1",
    ]);
    expect(await watched.page.locator("#group-log").textContent()).toContain("messages sent");

    await watched.page.setViewportSize({ width: 320, height: 640 });
    expect(await watched.page.evaluate("document.documentElement.scrollWidth")).toBe(320);

    await page.getByRole("button", { name: "Back to real time" }).click();
    await page.getByText("the same as real time").first().waitFor();
    expect(JSON.parse(await run("sandbox clock show --json"))).toMatchObject({
      clockOffsetMs: 0,
    });
    expect([...wrongs, ...watched.wrongs]).toEqual([]);
    await watched.page.close();
    await page.close();
  });

  test("settings are saved; a balance that moved meanwhile is not put back", async () => {
    const { page } = await visit("/_sandbox/pages/clock");
    const quota = page.getByLabel("Daily limit");
    await quota.fill("7,000");
    await run("sandbox set --balance 4321");
    await page.locator("form", { has: quota }).getByRole("button", { name: "Save" }).click();
    await page.getByText("The settings were saved.").waitFor();
    expect(await quota.inputValue()).toBe("7000");
    expect(await run("balance --sandbox --fields balance")).toBe("4321\n");
    await page.close();
  });
});

test("the chart of the ledger ends where the balance is, and goes on with it", async () => {
  const { page, wrongs } = await visit("/_sandbox/pages/balance");
  await run("sandbox set --balance 5000 --point 0");
  const chart = page.getByRole("img", { name: /5,000 won now/ });
  await chart.waitFor();
  expect(await chart.locator("path.balance").getAttribute("d")).toMatch(/^M0 [\d.]+.*H1000$/);
  await send("01000000051", "hello");
  await page.getByRole("img", { name: /4,980 won now/ }).waitFor();
  const newest = page.locator("#ledger tr").first();
  expect(await newest.textContent()).toContain("−20");
  await newest.getByRole("link", { name: "Group" }).click();
  await page.locator("#group-messages tr", { hasText: "010-0000-0051" }).waitFor();
  expect(wrongs).toEqual([]);
  await page.close();
});

test("a test message is sent from the page, and a refused one says where the reason is", async () => {
  const { page, wrongs } = await visit("/_sandbox/");
  await page.getByText("Send a test message").click();
  await page.locator("#send-to").fill("010-0000-0061");
  await page.locator("#send-text").fill("from the page");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("The message was sent.").waitFor();
  const inbox = await run("message list --sandbox --json");
  expect(inbox).toContain("from the page");
  await page.getByText("Send a test message").click();
  await page.locator("#send-to").fill("123");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("A number has 8 to 12 digits.").waitFor();
  expect(wrongs).toEqual(expect.not.arrayContaining([expect.stringContaining("dialog")]));
  await page.close();
});

describe("a form from elsewhere changes nothing", () => {
  const post = async (fields: Record<string, string>, origin: string): Promise<number> => {
    const body = new URLSearchParams(fields);
    const headers = { origin };
    const answer = await fetch(`${base()}/_sandbox/pages/faults`, {
      method: "POST",
      body,
      headers,
    });
    return answer.status;
  };
  const fault = { action: "on", on: "* *", do: "status:503" };

  test("without the token, with a wrong one, or from another origin", async () => {
    const page = await (await fetch(`${base()}/_sandbox/pages/faults`)).text();
    const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
    expect(token).not.toBe("");
    expect(await post(fault, base())).toBe(403);
    expect(await post({ ...fault, token: "x".repeat(token.length) }, base())).toBe(403);
    expect(await post({ ...fault, token }, "https://example.com")).toBe(403);
    await run("balance --sandbox");
  });
});
