/**
 * The exit code says what became of the request: each of them once by the built program, and what else ends
 * with it in this process.
 */

import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atHome } from "../faults/at-home.ts";
import { hurried } from "../support/clock.ts";
import { type Ended, ended, type RunOptions, sandboxServer, sendTo } from "./program.ts";

const msg = atHome();
const built = (args: readonly string[], options?: RunOptions): Promise<Ended> =>
  ended(msg.start(args, options));

/** A proxy that sends each request twice and hands the second answer back, as a bad line may. */
const repeating = async (target: string): Promise<{ readonly url: string; close: () => void }> => {
  const proxy = createHttpServer(async (request, response) => {
    const headers = { authorization: request.headers.authorization ?? "" };
    await fetch(`${target}${request.url}`, { headers });
    const answer = await fetch(`${target}${request.url}`, { headers });
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type }).end(await answer.text());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { url: `http://127.0.0.1:${portOf(proxy.address())}`, close: () => void proxy.close() };
};

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0;

describe("in the sandbox", () => {
  test("0: a send prints a record with status code 2000", async () => {
    const { code, out } = await built(sendTo("01000000001", "--json"));
    expect({ code, record: JSON.parse(out) }).toMatchObject({
      code: 0,
      record: { statusCode: "2000", type: "SMS", to: "01000000001" },
    });
  });

  test("0: two rows on standard input are two accepted messages", async () => {
    const stdin = '[{"to":"01000000001","text":"a"},{"to":"01000000002","text":"b"}]';
    const { code, out } = await msg(
      ["send-many", "-", "--from", "0200000000", "--sandbox", "--json"],
      { stdin },
    );
    expect({ code, summary: JSON.parse(out) }).toMatchObject({
      code: 0,
      summary: { total: 2, accepted: 2, refused: 0 },
    });
  });

  test("2: one bad row, every problem is named with its row, and the balance is unchanged", async () => {
    const balance = async () => (await msg(["balance", "--sandbox", "--json"])).out;
    const before = await balance();
    const stdin = '[{"to":"01000000001","text":"a"},{"to":"12","text":"b"},{"to":"01000000003"}]';
    const { code, out, err } = await built(
      ["send-many", "-", "--from", "0200000000", "--sandbox"],
      {
        stdin,
      },
    );
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/row 2/);
    expect(err).toMatch(/row 3/);
    expect(await balance()).toBe(before);
  });

  test.each([
    ["2: a command that does not exist", ["sned"]],
    ["2: a flag that does not exist", ["balance", "--sandbox", "--jsn"]],
    [
      "2: a value that is missing",
      ["send", "--sandbox", "--to", "01000000001", "--from", "0200000000"],
    ],
    [
      "2: a text of 1,001 Hangul",
      [
        "send",
        "--sandbox",
        "--to",
        "01000000001",
        "--from",
        "0200000000",
        "--text",
        "가".repeat(1_001),
      ],
    ],
  ])("%s", async (_name, args) => {
    const { code, out, err } = await msg(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).not.toMatch(/ at .*:\d+/);
  });

  test("4: a disabled key", async () => {
    const { code, err } = await built(["balance", "-p", "sandbox:disabled-key"]);
    expect(code).toBe(4);
    expect(err).toMatch(/disabled/i);
  });

  test("5: an inactive account", async () => {
    expect(
      (
        await built(
          "send -p sandbox:inactive --to 01000000001 --from 0200000000 --text a".split(" "),
        )
      ).code,
    ).toBe(5);
  });

  test("6: a message that does not exist", async () => {
    expect(
      (await built(["message", "get", "M4V20260101000000AAAAAAAAAAAAAAA", "--sandbox"])).code,
    ).toBe(6);
  });

  test("7: a ceiling that would be passed", async () => {
    const { code, out } = await built(sendTo("01000000001", "--max-cost", "1"));
    expect({ code, out }).toEqual({ code: 7, out: "" });
  });

  test("10: a sender that is not registered is refused with 1062", async () => {
    const { code, out, err } = await built(
      "send --sandbox --to 01000000001 --from 0299999999 --text a".split(" "),
    );
    expect({ code, out }).toEqual({ code: 10, out: "" });
    expect(err).toContain("1062");
  });

  test("11: accepted, then the line breaks: unknown, and not to be repeated", async () => {
    const { code, err } = await built(sendTo("01000009999", "--no-tag", "--settle", "300ms"));
    expect(code).toBe(11);
    expect(err).toMatch(/do not/i);
  });
});

describe("over HTTP", () => {
  const server: { baseUrl: string; stop: () => Promise<unknown> } = {
    baseUrl: "",
    stop: async () => undefined,
  };
  beforeAll(async () => void Object.assign(server, await sandboxServer(msg)));
  afterAll(() => server.stop());

  const keyed = (key: string, secret: string) => ({
    MSG_BASE_URL: server.baseUrl,
    MSG_API_KEY: key,
    MSG_API_SECRET: secret,
  });
  const owner = keyed.bind(undefined, "SANDBOXKEY000001", `SANDBOXSECRET${"0".repeat(19)}`);
  const balance = (env: Readonly<Record<string, string>>) =>
    msg(["balance", "--json"], { env, ...hurried() });

  test("0: the same key, secret and account as in process", async () => {
    const overHttp = await built(["balance", "--json"], { env: owner() });
    expect(overHttp).toMatchObject({ code: 0, err: "" });
    expect(overHttp.out).toBe((await msg(["balance", "--sandbox", "--json"])).out);
  });

  test("4: a wrong secret, an unknown key; 0: a skewed clock, which is named", async () => {
    const wrong = await balance(keyed("SANDBOXKEY000001", `SANDBOXSECRET${"0".repeat(18)}1`));
    expect(wrong.code).toBe(4);
    expect(wrong.err).toMatch(/secret/i);
    const unknown = await balance(keyed("NOSUCHKEY0000001", `SANDBOXSECRET${"0".repeat(19)}`));
    expect(unknown.code).toBe(4);
    expect(unknown.err).toMatch(/key/i);
    await msg(["sandbox", "clock", "skew", "20m"]);
    const skewed = await balance(owner());
    await msg(["sandbox", "clock", "skew", "0s"]);
    // A read is signed once more with the service's time.
    expect(skewed.code).toBe(0);
    expect(skewed.err).toMatch(/clock/i);
  });

  test("4: a request that arrives a second time is refused, and explained", async () => {
    const proxy = await repeating(server.baseUrl);
    const { code, err } = await balance({ ...owner(), MSG_BASE_URL: proxy.url });
    proxy.close();
    expect(code).toBe(4);
    expect(err).toContain("DuplicatedSignature");
  });

  test("9: a closed port, nothing was sent", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const env = { ...owner(), MSG_BASE_URL: `http://127.0.0.1:${portOf(closed.address())}` };
    closed.close();
    await once(closed, "close");
    const { code, out, err } = await built(
      ["send", "--to", "01000000001", "--from", "0200000000", "--text", "a"],
      { env },
    );
    expect({ code, out }).toEqual({ code: 9, out: "" });
    expect(err).toMatch(/nothing was sent/i);
  });
});
