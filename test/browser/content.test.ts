/** Messages of any content and of any number. */
import { expect, test } from "vitest";
import { patience, sendFrom, visitor } from "./visitor.ts";

const { msg, visit } = visitor();
const send = sendFrom(msg);

const texts: readonly (readonly [what: string, to: string, text: string])[] = [
  ["a script", "01000000011", '<script>alert(1)</script><img src=x onerror="alert(2)">'],
  ["the end of an attribute", "01000000012", `"'><svg onload=alert(3)> &lt;b&gt; &amp;`],
  ["an override of direction", "01000000013", "A \u202e\u2066\u2067 evil.exe \u061c\u200f B"],
  ["2,000 bytes without a space", "01000000014", "가".repeat(1000)],
  ["emoji, joined and not", "01000000015", "👩‍👩‍👧‍👦 🇰🇷 e\u0301 \ud83d\udc4d\ud83c\udffd"],
  ["lines and blanks", "01000000016", "one\n  two\n\n\tthree"],
];

test(
  "text of any content is shown as that text, on the phone and in the list",
  patience,
  async () => {
    const { page, wrongs } = await visit("/_sandbox/");
    for (const [what, to, text] of texts) {
      await send(to, text);
      await page.goto(page.url().replace(/\/_sandbox\/.*/, `/_sandbox/?to=${to}`));
      expect(await page.locator(".bubble .text bdi").first().textContent(), what).toBe(text);
      // The caption stays where it is, whichever way the text runs.
      const caption = page.locator(".message .caption").first();
      expect(await caption.textContent(), what).toMatch(/^\d\d:\d\d · [\d,]+ bytes/);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    }
    await page.goto(page.url().replace(/\/_sandbox\/.*/, "/_sandbox/pages/feed"));
    const listed = await page.locator("#feed .clamp bdi").allTextContents();
    expect(listed.toReversed()).toEqual(texts.map(([, , text]) => text));
    expect(await page.locator("main script, main svg, main [onerror]").count()).toBe(0);
    expect(wrongs).toEqual([]);
  },
);

test(
  "the picture of an MMS, and an alimtalk with its button, which leads nowhere",
  patience,
  async () => {
    const list = (await msg("files list --sandbox --json --all")).json();
    const files: readonly { fileId: string; type: string }[] = Array.isArray(list) ? list : [];
    const image = files.find((it) => it.type === "MMS")?.fileId ?? "";
    await send("01000000021", "look", "--subject", "Opening", "--image", image);
    const kakao = {
      pfId: "KA01PF260101000000000SANDBOX0001",
      templateId: "KA01TP260101000000000SANDBOX0001",
      variables: { name: "민지", no: "A-1" },
    };
    const ata = ["send", "--sandbox", "-y", "--to", "01000000021", "--from", "0200000000"];
    const sent = await msg([...ata, "--type", "ATA", "--kakao", JSON.stringify(kakao)]);
    expect(sent.code, sent.err).toBe(0);
    const { page, wrongs } = await visit("/_sandbox/?to=01000000021");
    await page.locator("img.picture").waitFor();
    const decoded =
      "const it = document.querySelector('img.picture'); it.decode().then(() => it.naturalWidth)";
    expect(await page.evaluate(decoded)).toBeGreaterThan(0);
    expect(await page.locator(".subject").textContent()).toBe("Opening");
    const card = page.locator(".kakao .card");
    expect(await card.locator(".text").textContent()).toBe("민지님, 주문 A-1이 발송되었습니다.");
    expect(await card.locator(".opens").textContent()).toContain("https://example.com/orders/A-1");
    expect(await card.locator("a, button").count()).toBe(0);
    expect(wrongs).toEqual([]);
  },
);

test(
  "why a message did not arrive stands under it, and leads to its request",
  patience,
  async () => {
    await send("01000003104", "are you there?");
    const { page } = await visit("/_sandbox/?to=01000003104");
    await page.locator(".message.bad .state", { hasText: "3104" }).waitFor();
    expect(await page.locator(".message .state").textContent()).toContain(
      "does not use Kakao Talk",
    );
    await page.getByRole("link", { name: "View request" }).click();
    await page.locator("#requests tr", { hasText: "/messages/v4/send" }).waitFor();
    expect(await page.locator("#requests tr").count()).toBe(1);
    expect(await page.locator("#requests tr").textContent()).toContain("Valid");
  },
);

test("10,000 messages: few rows a page, and the way to the others", patience, async () => {
  const rows = Array.from(
    { length: 10_000 },
    (_, at) => `0101${String(at).padStart(7, "0")},no ${at}`,
  );
  const many = await msg("send-many - --sandbox -y --from 0200000000", {
    stdin: `to,text\n${rows.join("\n")}\n`,
  });
  expect(many.code, many.err).toBe(0);
  const { page, wrongs } = await visit("/_sandbox/pages/feed");
  expect(await page.locator("#feed tr").count()).toBe(50);
  expect(await page.locator("#feed tr").first().textContent()).toContain("no 9999");
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL(/from=/);
  expect(await page.locator("#feed tr").first().textContent()).toContain("no 9949");
  await page.getByLabel("Text", { exact: true }).fill("no 17");
  await page.getByLabel("To", { exact: true }).fill("01010000017");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=no/);
  expect(await page.locator("#feed tr").count()).toBe(1);

  await page.goto(page.url().replace(/\/_sandbox\/.*/, "/_sandbox/"));
  expect(await page.locator("#threads li").count()).toBe(30);
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL(/more=/);
  expect(await page.locator("#threads li").first().textContent()).toContain("010-1000-9969");
  await page.getByLabel("Find a number").fill("0009123");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=0009123/);
  expect(await page.locator("#threads li").count()).toBe(1);
  expect(wrongs).toEqual([]);
});
