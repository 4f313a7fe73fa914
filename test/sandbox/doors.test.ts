import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contract } from "../../src/contract/index.ts";
import { assumptions } from "../../src/sandbox/assumptions.ts";
import { openSandbox } from "../../src/sandbox/index.ts";
import { countOf } from "../support/share.ts";
import { authorization, secretOf } from "../support/signer.ts";
import { type Asked, doors, openForEach, start, untilStopped } from "./doors.ts";
import { errorOf, jsonOf, replyOf } from "./replies.ts";
import { serve } from "./serve.ts";

const message = { to: "01000000001", from: "0200000000", text: "hello" };

describe.each(doors)("requests, %s", (_name, open) => {
  const door = openForEach(open);

  const refusal = async (method: string, target: string, asked?: Asked) => {
    const told = await door.call(method, target, asked);
    return { status: told.status, ...errorOf(jsonOf(told)) };
  };

  test("answers are JSON in UTF-8 with a date", async () => {
    const { headers } = await door.call("GET", "/cash/v1/balance");
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers.date).toBe("Mon, 05 Jan 2026 09:00:00 GMT");
  });

  test("what is unknown is 404 before credentials are looked at", async () => {
    expect(await refusal("GET", "/cash/v1/nothing", { signing: null })).toMatchObject({
      status: 404,
      errorCode: "ResourceNotFound",
    });
    expect(await refusal("PUT", "/cash/v1/balance", { signing: null })).toMatchObject({
      status: 404,
    });
  });

  test("an answer that rests on a choice of the sandbox names it", async () => {
    const { headers } = await door.call("GET", "/cash/v1/balance", { signing: null });
    expect(headers["x-sandbox-assumption"]).toBe("no-credentials");
    const delivered = await door.call("GET", "/cash/v1/balance", {
      signing: { secret: secretOf(2) },
    });
    expect(delivered.headers["x-sandbox-assumption"]).toBeUndefined();
  });

  test("a trailing slash is accepted", async () => {
    expect((await door.call("GET", "/cash/v1/balance/")).status).toBe(200);
  });

  test.each([
    ["no JSON", Buffer.from("{")],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["an array", Buffer.from("[]")],
    ["a text", Buffer.from('"x"')],
    ["nothing", Buffer.from("")],
    ["a hundred levels", Buffer.from(`{"messages":${"[".repeat(100)}${"]".repeat(100)}}`)],
  ])("a body that is %s is 400 ValidationError", async (_case, bytes) => {
    expect(await refusal("POST", "/messages/v4/send-many", { bytes })).toMatchObject({
      status: 400,
      errorCode: "ValidationError",
    });
  });

  test("every problem of a body is named, values are not", async () => {
    const body = { message: { ...message, text: 5, subject: { secret: "1234" } }, strict: "yes" };
    const { errorMessage } = await refusal("POST", "/messages/v4/send", { body });
    expect(errorMessage).toBe(
      "'message.text' must be a string; 'message.subject' must be a string; 'strict' must be a boolean.",
    );
  });

  test("members that are not declared are ignored", async () => {
    const body = { message: { ...message, extra: 1 }, further: true };
    expect((await door.call("POST", "/messages/v4/send", { body })).status).toBe(200);
  });

  test("query parameters: unknown names pass, wrong values are 400", async () => {
    expect((await door.call("GET", "/messages/v4/list?unknown=1&limit=5")).status).toBe(200);
    for (const query of [
      "limit=0",
      "limit=501",
      "limit=x",
      "type[like]=x",
      "startDate=x",
      "dateType=X",
    ]) {
      expect(await refusal("GET", `/messages/v4/list?${query}`)).toMatchObject({
        status: 400,
        errorCode: "ValidationError",
      });
    }
  });

  test("permission is checked before the body", async () => {
    const signing = { apiKey: "SANDBOXKEY000009", secret: secretOf(9) };
    expect(
      await refusal("POST", "/messages/v4/send", { signing, body: { message: 5 } }),
    ).toMatchObject({ status: 403, errorCode: "InactiveMember" });
  });

  test("01000009999: the message is accepted, then the line breaks", async () => {
    const body = { message: { ...message, to: "01000009999" } };
    await expect(door.call("POST", "/messages/v4/send", { body })).rejects.toMatchObject({
      code: "ECONNRESET",
    });
    const told = await door.call("GET", "/messages/v4/list?to=01000009999");
    expect(Object.values(replyOf(contract.listMessages, jsonOf(told)).messageList)).toHaveLength(1);
  });
});

test("both doors, and curl with openssl, get the same bytes", async () => {
  const { sandbox, url } = await serve();
  const salt = "0123456789abcdef";
  const digest = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secretOf(1)], {
    input: `${start}${salt}`,
  });
  const signature = digest.toString().trim().split(" ").at(-1);
  const header = `HMAC-SHA256 apiKey=SANDBOXKEY000001, date=${start}, salt=${salt}, signature=${signature}`;
  const { execFile } = await import("node:child_process");
  const curled = await new Promise<string>((resolve, reject) =>
    execFile(
      "curl",
      ["-sS", "-H", `Authorization: ${header}`, `${url}/messages/v4/list?limit=3`],
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    ),
  );
  const wire = {
    method: "GET" as const,
    target: "/messages/v4/list?limit=3",
    headers: { authorization: authorization({ date: start }) },
  };
  const answer = await sandbox.send(wire, new AbortController().signal);
  expect(curled).toBe(Buffer.from(answer.body).toString());
});

describe("B10: whatever is asked, the answer is 2xx or 4xx with both members", () => {
  const values = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("01000000001", "0200000000", "SMS", "", "2026-01-05", "\ud800", "\u0000"),
  );
  const names = fc.constantFrom(
    ...["message", "messages", "to", "from", "text", "type", "country", "subject", "kakaoOptions"],
    ...["customFields", "strict", "allowDuplicates", "scheduledDate", "agent", "appId", "seed"],
    ...["autoTypeDetect", "replacements", "imageId", "balance", "advance", "tick", "__proto__"],
  );
  const flat = fc.dictionary(names, values, { maxKeys: 6 });
  const body = fc.oneof(
    values,
    flat,
    fc.record({ message: flat }),
    fc.record(
      { messages: fc.array(flat, { maxLength: 4 }), scheduledDate: values },
      { requiredKeys: [] },
    ),
  );
  const query = fc.array(
    fc.tuple(
      fc.constantFrom(
        ...["limit", "startKey", "criteria", "cond", "value", "type", "messageIds", "startDate"],
        ...["endDate", "dateType", "to", "countryId", "offset", "statusCode", "dateCreated"],
      ),
      fc.constantFrom("", "[eq]", "[in]", "[gte]", "[]", "[0]", "[x]", "%5Bin%5D", "[", "%"),
      fc.oneof(
        fc.string().map((text) => encodeURIComponent(text.toWellFormed())),
        fc.constantFrom(
          "1",
          "-1",
          "[",
          "[1]",
          "to,from",
          "eq",
          "ne,gt",
          "2026-01-01",
          "%zz",
          "99999999999999999999",
        ),
      ),
    ),
    { maxLength: 4 },
  );
  const endpoints = [
    ...Object.values(contract).map(({ method, path }) => [method, path] as const),
    ...(["reset", "settings", "status", "clock", "inbox", "requests", "accounts"] as const).flatMap(
      (name) =>
        (["GET", "POST", "PUT"] as const).map((method) => [method, `/_sandbox/${name}`] as const),
    ),
  ];

  const known = assumptions.map(({ id }) => id);

  test("3,000 generated requests", async () => {
    const sandbox = openSandbox({
      file: ":memory:",
      now: () => new Date(start),
      wait: untilStopped,
      checkAnswers: true,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...endpoints),
        query,
        body,
        async ([method, path], pairs, content) => {
          const text = pairs
            .map(([name, operator, value]) => `${name}${operator}=${value}`)
            .join("&");
          const answer = await sandbox
            .send(
              {
                method,
                target: `${path}?${text}`,
                headers: { authorization: authorization({ date: start }) },
                body: method === "GET" ? undefined : Buffer.from(JSON.stringify(content)),
              },
              new AbortController().signal,
            )
            .catch((error) => {
              if (error.code === "ECONNRESET") return undefined;
              throw error;
            });
          for (const id of answer?.headers["x-sandbox-assumption"]?.split(", ") ?? []) {
            expect(known).toContain(id);
          }
          if (answer === undefined || answer.status === 200) return;
          expect(answer.status).toBeGreaterThanOrEqual(400);
          expect(answer.status).toBeLessThan(500);
          const said = Buffer.from(answer.body).toString();
          const told = errorOf(jsonOf({ ...answer, text: said }));
          expect(told.errorCode).toMatch(/^[A-Z]/);
          expect(told.errorMessage).not.toBe("");
        },
      ),
      { numRuns: countOf(3_000, 1_000) },
    );
    sandbox.close();
  });
});
