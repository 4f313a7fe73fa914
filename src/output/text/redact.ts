/** Redacts the secrets of this process from everything that is written. */

export type Redactor = ReturnType<typeof createRedactor>;

const minLength = 6;
const mark = "<redacted>";

/** One redactor serves a whole process: every writer and the request trace go through it. */
export const createRedactor = () => {
  const secrets = new Set<string>();
  let found: readonly (readonly [form: string, expression: RegExp])[] = [];
  return {
    /** From now on this text is a secret. Texts under six characters are too common to hide. */
    redact: (secret: string): void => {
      if (secret.length < minLength || secrets.has(secret)) return;
      secrets.add(secret);
      const forms = formsOf(secret).map((form) => [form, pattern(form)] as const);
      // The longest first: replacing a prefix of another secret would leave the rest of that one.
      found = [...found, ...forms].sort(([one], [other]) => other.length - one.length);
    },
    /** The text with every secret replaced, in each form in which it could appear. */
    clean: (text: string): string => {
      let cleaned = text;
      for (const [form, expression] of found)
        if (cleaned.includes(form)) cleaned = cleaned.replace(expression, mark);
      return found.reduce((text, [form]) => withoutBeginning(text, form), cleaned);
    },
  };
};

/** Of a text that was shortened in the middle of a secret, what is left of that stands before `…`. */
const withoutBeginning = (text: string, form: string): string => {
  if (!text.includes(form.slice(0, minLength))) return text;
  const [last = "", ...parts] = text.split("…").reverse();
  const cleaned = parts.map((part) => {
    let length = Math.min(form.length - 1, part.length);
    while (length >= minLength && !part.endsWith(form.slice(0, length))) length -= 1;
    return length < minLength ? part : part.slice(0, -length) + mark;
  });
  return [last, ...cleaned].reverse().join("…");
};

/** Digits match as a whole number only, so that a one-time code does not cut an id in two. */
const pattern = (form: string): RegExp => {
  const literal = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(/^\d+$/.test(form) ? `(?<!\\d)${literal}(?!\\d)` : literal, "g");
};

/** The forms in which a secret may be printed: plain, URL-encoded, base64, hex and JSON-escaped. */
export const formsOf = (secret: string): string[] => {
  const hex = Buffer.from(secret).toString("hex");
  const url = encodeURIComponent(Buffer.from(secret).toString());
  const form = new URLSearchParams({ v: secret }).toString().slice(2);
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [
    secret,
    hex,
    hex.toUpperCase(),
    url,
    form,
    json,
    JSON.stringify(json).slice(1, -1),
  ];
  const lower = [url, form].map((it) => it.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  const all = [...forms, ...lower, ...base64Forms(secret)].filter((it) => it.length >= minLength);
  return [...new Set(all)];
};

/** Base64 of the secret alone and inside a longer text, where it may begin at three offsets. */
const base64Forms = (secret: string): string[] => {
  const whole = Buffer.from(secret).toString("base64");
  const inside = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const first = Math.ceil((offset * 8) / 6);
    return bytes.toString("base64").slice(first, Math.floor((bytes.length * 8) / 6));
  });
  return [whole, whole.replace(/=+$/, ""), ...inside].flatMap((text) => [
    text,
    text.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
};
