/** The sandbox over HTTP, called by a program that shares no code with `msg`: curl and openssl where they are. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { program, sandboxServer } from "./program.ts";

const msg = program();
const server: { baseUrl: string; stop: () => Promise<{ code: number | null }> } = {
  baseUrl: "",
  stop: async () => ({ code: null }),
};
beforeAll(async () => void Object.assign(server, await sandboxServer(msg)));
afterAll(() => server.stop());

const secret = `SANDBOXSECRET${"0".repeat(19)}`;

const runs = (file: string, ...args: string[]): boolean => {
  try {
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const hasTools = runs("curl", "--version") && runs("openssl", "version");

const signature = (text: string): string => {
  if (!hasTools) return createHmac("sha256", secret).update(text).digest("hex");
  const printed = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret], {
    input: text,
  }).toString();
  return printed.trim().split(/\s+/).at(-1) ?? "";
};

const authorization = (salt: string): string => {
  const date = new Date().toISOString();
  return `HMAC-SHA256 apiKey=SANDBOXKEY000001, date=${date}, salt=${salt}, signature=${signature(date + salt)}`;
};

/** Method, path, body → the body of the answer, by curl or by node:http. */
const call = async (method: string, path: string, salt: string, body?: string): Promise<string> => {
  const url = `${server.baseUrl}${path}`;
  if (hasTools) {
    const data = body === undefined ? [] : ["--data-binary", body];
    const headers = [
      "-H",
      `authorization: ${authorization(salt)}`,
      "-H",
      "content-type: application/json",
    ];
    return execFileSync("curl", ["-sS", "-X", method, ...headers, ...data, url]).toString();
  }
  return new Promise((resolve, reject) => {
    const headers = { authorization: authorization(salt), "content-type": "application/json" };
    const asked = request(url, { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(Buffer.from(chunk));
      resolve(Buffer.concat(chunks).toString("utf8"));
    });
    asked.on("error", reject).end(body);
  });
};

test("a balance that curl reads with a signature of openssl is the one that msg prints", async () => {
  const seen: unknown = JSON.parse(
    await call("GET", "/cash/v1/balance", "0123456789abcdef0123456789abcdef"),
  );
  const { out } = await msg(["balance", "--sandbox", "--json"]);
  expect(seen).toEqual(JSON.parse(out));
});

test("a message that curl sends is listed by msg", async () => {
  const body = JSON.stringify({
    message: { to: "01044445555", from: "0200000000", text: "안녕하세요" },
  });
  const sent: unknown = JSON.parse(
    await call("POST", "/messages/v4/send", "1123456789abcdef0123456789abcdef", body),
  );
  expect(sent).toMatchObject({ to: "01044445555", statusCode: "2000", type: "SMS" });
  const { out } = await msg(["message", "list", "--sandbox", "--to", "01044445555", "--json"]);
  expect(JSON.parse(out)).toHaveLength(1);
});

test("a wrong signature is refused with the service's own words", async () => {
  const url = `${server.baseUrl}/cash/v1/balance`;
  const header = `HMAC-SHA256 apiKey=SANDBOXKEY000001, date=${new Date().toISOString()}, salt=2123456789abcdef, signature=${"0".repeat(64)}`;
  const answer = await fetch(url, { headers: { authorization: header } });
  expect(await answer.json()).toMatchObject({ errorCode: "SignatureDoesNotMatch" });
});

test("the server stops on SIGTERM with exit code 0 and frees its port", async () => {
  const other = await sandboxServer(program());
  const { code } = await other.stop();
  expect(code).toBe(0);
  await expect(fetch(other.baseUrl)).rejects.toThrow();
});
