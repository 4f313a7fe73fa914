/** The second factor as a layer: what is sent, what is asked, and what is never repeated. */
import { describe, expect, test } from "vitest";
import type { CodeRejection, Conversation } from "../../../src/client/layers/second-factor.ts";
import { createNetwork } from "../../../src/client/transport/network.ts";
import { chargeBalance } from "../../../src/contract/cash.ts";
import { addBankAccount, removePayment } from "../../../src/contract/payment.ts";
import type { Send } from "../../../src/contract/wire.ts";
import {
  clientOf,
  closedPort,
  failure,
  type Reply,
  rawService,
  service,
  wait,
} from "../service.ts";

const transactionId = "MFA0000000000000000000000000001";
const mfa = {
  transactionId,
  authType: "OTP",
  destination: "o***@example.com",
  codeLength: 6,
  attemptsLeft: 5,
  dateExpires: "2026-01-05T09:03:00.000Z",
};
const refused = (status: number, errorCode: string, more: object = {}, headers = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify({ errorCode, errorMessage: "…", ...more }),
});
const demand = refused(403, "MFARequired", { mfa: { authTypes: ["ARS", "OTP"] } });
const sent = refused(403, "MFARequired", { mfa });
const wrong = (attemptsLeft: number) =>
  refused(403, "InvalidMFAToken", { mfa: { ...mfa, attemptsLeft } });
const removed: Reply = { body: '{"paymentId":"1","message":"Successfully deleted."}' };

/** A person who answers with these codes, one after the other. */
const talk = (...codes: readonly string[]) => {
  const asked: (CodeRejection | undefined)[] = [];
  const waits: number[] = [];
  const offers: unknown[] = [];
  const left = [...codes];
  const conversation: Conversation = {
    proof: undefined,
    means: async (offered) => {
      offers.push(offered);
      return "OTP";
    },
    code: async (_delivered, complaint) => {
      asked.push(complaint);
      return left.shift();
    },
    countdown: async (ms) => {
      waits.push(ms);
      return true;
    },
    todo: (it) => `transaction ${it.transactionId}`,
  };
  return { conversation, asked, waits, offers };
};

const remove = { body: { paymentId: "1" } };
const headers = (seen: readonly { headers: Record<string, unknown> }[]) =>
  seen.map((it) => it.headers["x-mfa-data"]);

describe("a conversation", () => {
  test("asks for a code, sends it with the same request, each time under a new signature", async () => {
    const { url, seen } = await service(demand, sent, removed);
    const { conversation } = talk("123456");
    const { client } = clientOf(url);
    expect(await client.call(removePayment, remove, { conversation })).toMatchObject({
      paymentId: "1",
    });
    expect(headers(seen)).toEqual([
      undefined,
      '{"authType":"OTP"}',
      JSON.stringify({ authType: "OTP", transactionId, token: "123456" }),
    ]);
    expect(new Set(seen.map((it) => it.headers.authorization)).size).toBe(3);
    expect(new Set(seen.map((it) => it.body)).size).toBe(1);
  });

  test("F01 a person has three tries; then the refusal stands", async () => {
    const { url, seen } = await service(demand, sent, wrong(4), wrong(3), wrong(2));
    const { conversation, asked } = talk("1", "2", "3", "4");
    const error = await failure(clientOf(url).client.call(removePayment, remove, { conversation }));
    expect(error).toMatchObject({ kind: "forbidden", code: "InvalidMFAToken" });
    expect(error.todo).toBe(`2 attempts left; transaction ${transactionId}`);
    expect(asked).toEqual([
      undefined,
      { kind: "wrong", attemptsLeft: 4 },
      { kind: "wrong", attemptsLeft: 3 },
    ]);
    expect(seen.length).toBe(5);
  });

  test("F03 too soon for another code: the wait is shown, and asked for once", async () => {
    const early = refused(429, "TooManyRequests", {}, { "retry-after": "23" });
    const { url, seen } = await service(demand, sent, early, sent, removed);
    const { conversation, waits } = talk("again", "123456");
    const told = clientOf(url);
    await told.client.call(removePayment, remove, { conversation });
    expect(waits).toEqual([23_000]);
    expect(told.waits).toEqual([]);
    expect(seen.length).toBe(5);
  });

  test("F03 an expired code is told, and another one may be sent", async () => {
    const { url } = await service(demand, sent, refused(403, "MFAExpired", { mfa }), sent, removed);
    const { conversation, asked } = talk("111111", "again", "222222");
    await clientOf(url).client.call(removePayment, remove, { conversation });
    expect(asked).toEqual([undefined, { kind: "expired" }, undefined]);
  });

  test.each([
    ["that asks for a code", 2, [demand, demand, sent, removed]],
    ["with the code", 3, [demand, sent, removed]],
  ])(
    "a request %s that does not leave goes out again, and nothing is asked twice",
    async (_what, lost, replies) => {
      const { url, seen } = await service(...replies);
      const { conversation, asked, offers } = talk("123456");
      const nowhere = `http://127.0.0.1:${await closedPort()}`;
      const sendTo = (url: string): Send =>
        createNetwork({ url, env: {}, timeoutMs: undefined, wait }).send;
      const requests = { count: 0 };
      const base: Send = (wire, signal) => {
        requests.count += 1;
        return sendTo(requests.count === lost ? nowhere : url)(wire, signal);
      };
      const { client } = clientOf(url, { transports: { base, auth: base } });
      await client.call(removePayment, remove, { conversation });
      expect([headers(seen).at(-1), asked, offers]).toEqual([
        JSON.stringify({ authType: "OTP", transactionId, token: "123456" }),
        [undefined],
        [["ARS", "OTP"]],
      ]);
    },
  );

  test("a business error ends it: the code is not sent again", async () => {
    const declined = refused(402, "BalanceInsufficient");
    const { url, seen } = await service(demand, sent, declined);
    const { conversation } = talk("123456");
    const input = { body: { amount: 1000, paymentId: "1" } };
    const error = await failure(clientOf(url).client.call(chargeBalance, input, { conversation }));
    expect(error).toMatchObject({ kind: "refused", code: "BalanceInsufficient" });
    expect(seen.length).toBe(3);
  });

  test("the bank account's body carries the code too, as the specification lists it", async () => {
    const done = '{"accountNumber":"0012345","bankCode":"004","holderName":"Kim","success":true}';
    const { url, seen } = await service(demand, sent, { body: done });
    const { conversation } = talk("123456");
    const body = { accountNumber: "0012345", bankCode: "004", holderName: "Kim" };
    await clientOf(url).client.call(addBankAccount, { body }, { conversation });
    expect(JSON.parse(seen[2]?.body ?? "")).toEqual({
      ...body,
      transactionId,
      authenticationCode: "123456",
    });
  });

  test("a service without a second factor is asked once", async () => {
    const { url, seen } = await service(removed);
    const { conversation, asked } = talk();
    await clientOf(url).client.call(removePayment, remove, { conversation });
    expect([seen.length, asked.length]).toEqual([1, 0]);
  });
});

describe("without a person", () => {
  test("F05 the demand is an error that names what goes on", async () => {
    const { url, seen } = await service(demand, sent);
    const { conversation } = talk();
    const error = await failure(clientOf(url).client.call(removePayment, remove, { conversation }));
    expect(error).toMatchObject({ kind: "forbidden", code: "MFARequired", outcome: "refused" });
    expect(error.mfa).toEqual({
      transactionId,
      authType: "OTP",
      destination: mfa.destination,
      dateExpires: mfa.dateExpires,
    });
    expect(seen.length).toBe(2);
  });

  test("a code of an earlier call goes with the first request, and nothing is asked", async () => {
    const { url, seen } = await service(wrong(4));
    const { conversation, asked } = talk("1");
    const proof = { authType: "ARS", transactionId, token: "000000" } as const;
    const call = clientOf(url).client.call(removePayment, remove, {
      conversation: { ...conversation, proof },
    });
    expect((await failure(call)).code).toBe("InvalidMFAToken");
    expect(headers(seen)).toEqual([JSON.stringify(proof)]);
    expect(asked).toEqual([]);
  });
});

test("F04 an answer that is lost after the code was sent: in doubt, told where to look, not repeated", async () => {
  const { url, connections } = await rawService((socket, connection) => {
    socket.once("data", () => {
      if (connection === 3) {
        socket.destroy();
        return;
      }
      const reply = connection === 1 ? demand : sent;
      const body = String(reply.body);
      socket.end(
        `HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      );
    });
  });
  const { conversation, asked } = talk("123456", "654321");
  const input = { body: { amount: 1000, paymentId: "1" } };
  const error = await failure(clientOf(url).client.call(chargeBalance, input, { conversation }));
  expect(error).toMatchObject({ kind: "unknown", outcome: "unknown", retryable: false });
  expect(error.exitCode).toBe(11);
  expect(error.todo).toContain("msg balance history --since");
  expect([connections(), asked.length]).toEqual([3, 1]);
});
