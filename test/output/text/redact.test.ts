/** C06 A secret of this process is never written, in any of its forms. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createOut } from "../../../src/output/out.ts";
import { createRedactor } from "../../../src/output/text/redact.ts";
import { sink } from "../sink.ts";

/** Its base64 holds `+` and `/`, and ends with `=`; its URL-encoded forms differ, by a blank, and by case. */
const canary = 'can/ary+"se cret"=한글\n&??~>>>~~?>x';
const hiding = (...secrets: readonly string[]) => {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.redact(secret);
  return redactor.clean;
};

test("C06 plain, URL-encoded, base64, hex and JSON-escaped forms are replaced", () => {
  const clean = hiding(canary);
  const bytes = Buffer.from(canary);
  const forms = [
    canary,
    encodeURIComponent(canary),
    encodeURIComponent(canary).toLowerCase(),
    new URLSearchParams({ v: canary }).toString().slice(2),
    new URLSearchParams({ v: canary }).toString().slice(2).toLowerCase(),
    bytes.toString("base64"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    JSON.stringify(canary).slice(1, -1),
    JSON.stringify(JSON.stringify(canary)).slice(3, -3),
  ];
  for (const form of forms) expect(clean(`<${form}>`), form).toBe("<<redacted>>");
});

test("C06 a secret that begins with another one is replaced as a whole, whichever came first", () => {
  const [short, long] = ["secret-of-a-key", "secret-of-a-key-and-of-its-owner"];
  for (const clean of [hiding(short, long), hiding(long, short)]) {
    expect(clean(`<${long}>`)).toBe("<<redacted>>");
    expect(clean(`<${short}>`)).toBe("<<redacted>>");
  }
});

test("C06 what a shortened text holds of a secret at its end is replaced", () => {
  const secret = "SECRET-0123456789-abcdef";
  const clean = hiding(secret, "SECRET-of-another");
  for (let left = 6; left < secret.length; left += 1)
    expect(clean(`1…<${secret.slice(0, left)}…, ${secret.slice(0, left)}…`), `${left}`).toBe(
      "1…<<redacted>…, <redacted>…",
    );
  expect(clean("SECRE… SECRET SECRETS…")).toBe("SECRE… SECRET SECRETS…");
});

test("C06 base64 of a longer text that holds the secret gives it away at no offset", () => {
  const secret = "SECRET-0123456789-abcdef";
  const clean = hiding(secret);
  for (const before of ["", "k", "ke", "key", "key:"]) {
    const text = clean(Buffer.from(`${before}${secret}:tail`).toString("base64"));
    expect(text).toContain("<redacted>");
    expect(text.length).toBeLessThan(30);
  }
});

test("C06 any secret is gone from any text around it", () => {
  const words = fc.string({ unit: "grapheme", minLength: 6, maxLength: 40 });
  fc.assert(
    fc.property(words, fc.string(), fc.string(), (secret, before, after) => {
      fc.pre(!"<redacted>".includes(secret) && !/^\d+$/.test(secret));
      fc.pre(!`${before}<redacted>${after}`.includes(secret));
      expect(hiding(secret)(before + secret + after)).not.toContain(secret);
    }),
  );
});

test("short texts are no secrets, and digits do not cut a longer number", () => {
  expect(hiding("abc", "")("abc")).toBe("abc");
  const clean = hiding("123456");
  expect(clean("code 123456.")).toBe("code <redacted>.");
  expect(clean("id 91234567")).toBe("id 91234567");
});

test("C06 a writer hides secrets that became known after it was made", async () => {
  const redactor = createRedactor();
  const into = sink();
  const out = createOut(into.stream, {
    colour: false,
    redact: redactor.clean,
  });
  redactor.redact("late-secret");
  await out.write("token late-secret\n");
  await out.writeSecret("late-secret\n");
  expect(into.text()).toBe("token <redacted>\nlate-secret\n");
});
