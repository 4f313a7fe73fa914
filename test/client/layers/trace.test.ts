import { describe, expect, test } from "vitest";
import { getBalance } from "../../../src/contract/cash.ts";
import { listMessages, sendMessage } from "../../../src/contract/messages.ts";
import { registerCard } from "../../contract/samples.ts";
import { clientOf, closedPort, failure, key, service } from "../service.ts";

const traced = () => {
  const lines: string[] = [];
  return { lines, log: (line: string) => void lines.push(line), text: () => lines.join("\n") };
};

const message = {
  to: "01012345678",
  from: "1588123",
  text: "your code is 4711",
  customFields: { name: "Kim" },
};

describe("--debug", () => {
  test("shows the request, each attempt, the answer and the time, and no text of anybody", async () => {
    const reply = { groupId: "G1", messageId: "M1", to: message.to, statusCode: "2000", text: "x" };
    const headers = { server: "s/1", "set-cookie": "sid=1", date: "Mon, 05 Jan 2026 09:00:00 GMT" };
    const { url } = await service({ headers, body: JSON.stringify(reply) });
    const { lines, log, text } = traced();
    const now = () => new Date("2026-01-05T09:00:00Z");
    await clientOf(url, { log, now }).client.call(sendMessage, { body: { message } });
    expect(lines.filter((line) => !/^[<>] (content-length|date|user-agent)/.test(line))).toEqual([
      "> POST /messages/v4/send",
      "> content-type: application/json",
      "> {message: {to: 010****5678, from: ****, text: <17 chars>, customFields: {name: <3 chars>}}}",
      "> authorization: HMAC-SHA256 apiKey=****0001, date=2026-01-05T08:55:00Z, salt=<32>, signature=<redacted>",
      "< 200 after 0 ms",
      "< content-type: application/json",
      "< server: s/1",
      '< {groupId: "G1", messageId: "M1", to: 010****5678, statusCode: "2000", text: <1 chars>}',
    ]);
    expect(text()).toMatch(/^> user-agent: msg\/\d/m);
    expect(text()).toMatch(/^> content-length: \d+$/m);
    for (const secret of [key.apiKey, key.apiSecret, "4711", message.to, "Kim", "sid"])
      expect(text()).not.toContain(secret);
  });

  test("each attempt is shown with what came of it", async () => {
    const { url } = await service(
      { status: 429, headers: { "retry-after": "3" } },
      { body: '{"balance":1}' },
    );
    const { lines, log } = traced();
    await clientOf(url, { log }).client.call(getBalance, {});
    expect(lines.filter((line) => /^\* /.test(line))).toEqual([
      "* answer 429; attempt 2 in 3000 ms",
    ]);
    expect(lines.filter((line) => line.startsWith("> authorization"))).toHaveLength(2);
  });

  test("query values are shown by a list, the others by their length", async () => {
    const { url } = await service({ body: '{"messageList":{}}' });
    const { lines, log } = traced();
    const query = {
      limit: 20,
      startDate: "2026-01-01T00:00:00Z",
      to: "01012345678",
      type: { in: ["SMS"] },
    };
    await clientOf(url, { log }).client.call(listMessages, { query });
    expect(lines[0]).toBe(
      '> GET /messages/v4/list?limit=20&startDate=2026-01-01T00:00:00Z&to=<11 chars>&type[in]=["SMS"]',
    );
  });

  test("lists are shown by their first row", async () => {
    const { url } = await service({ body: '{"messageList":[{"status":"A"},{"status":"B"}]}' });
    const { lines, log } = traced();
    await clientOf(url, { log }).client.call(listMessages, {});
    expect(lines.at(-1)).toBe('< {messageList: [2: {status: "A"}, …]}');
  });

  test("bodies behind a second factor, secrets among them, are not shown", async () => {
    const { url } = await service({ body: '{"paymentId":"4000111122223333"}' });
    const { log, text } = traced();
    const body = { cardNumber: "4000111122223333", cvc: "987", expYear: 2031 };
    await clientOf(url, { log }).client.call(registerCard, { body });
    expect(text()).toMatch(/^> <\d+ bytes, not shown>$/m);
    for (const secret of ["4000", "987", "2031"]) expect(text()).not.toContain(secret);
  });

  test("a secret member is not even measured", async () => {
    const { url } = await service({ body: '{"paymentId":"1"}' });
    const { log, text } = traced();
    const { secondFactor: _, ...open } = registerCard;
    const body = { cardNumber: "4000111122223333", cvc: "987", expYear: 2031 };
    await clientOf(url, { log }).client.call(open, { body });
    expect(text()).toContain("{cardNumber: <redacted>, cvc: <redacted>, expYear: <number>}");
  });

  test("a token is not shown at all", async () => {
    const { url } = await service({ body: '{"messageList":{}}' });
    const { log, text } = traced();
    const credentials = { kind: "token", accessToken: "head.body.tail" } as const;
    await clientOf(url, { log, credentials }).client.call(listMessages, {});
    expect(text()).toContain("> authorization: bearer <redacted>");
    expect(text()).not.toContain("tail");
  });

  test("a failure is named with how far the request came", async () => {
    const { lines, log } = traced();
    const { client } = clientOf(`http://127.0.0.1:${await closedPort()}`, { log });
    await failure(client.call(listMessages, {}));
    expect(lines.at(-1)).toMatch(/^< no answer: ECONNREFUSED \(unconnected\), after \d+ ms$/);
    expect(lines.filter((line) => line.startsWith("*"))).toHaveLength(2);
  });

  test("T04 controls in what the service wrote do not reach the terminal", async () => {
    const { url } = await service({
      body: '{"messageList":{},"\\u001b[2J":1,"status":"\\u202e\\u009b"}',
    });
    const { log, text } = traced();
    await clientOf(url, { log }).client.call(listMessages, {});
    expect(text()).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });
});
