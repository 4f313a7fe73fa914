import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { controls } from "../../../src/contract/sandbox.ts";
import { openSandbox } from "../../../src/sandbox/index.ts";
import { doors, exchange, openForEach, start } from "../doors.ts";
import { errorCodeOf, jsonOf, replyOf } from "../replies.ts";

const send = { body: { message: { to: "01000000001", from: "0200000000", text: "hello" } } };

describe.each(doors)("faults, %s", (_name, open) => {
  const door = openForEach(open);

  const ask = async (method: string, target: string, body?: unknown) => {
    const told = await door.call(method, target, { signing: null, body });
    return jsonOf(told);
  };
  const add = (body: unknown) => ask("POST", "/_sandbox/faults", body);
  const sent = async (): Promise<number> => {
    const told = await door.call("GET", "/messages/v4/list");
    return Object.keys(replyOf(contract.listMessages, jsonOf(told)).messageList).length;
  };
  const balance = () => door.call("GET", "/cash/v1/balance");

  test("drop-before: nothing happens, and the connection breaks", async () => {
    await add({ on: "POST /messages/v4/*", do: "drop-before", times: 1 });
    await expect(door.call("POST", "/messages/v4/send", send)).rejects.toThrow();
    expect(await sent()).toBe(0);
    expect((await door.call("POST", "/messages/v4/send", send)).status).toBe(200);
  });

  test("drop-after: it is done, and the connection breaks", async () => {
    await add({ on: "POST /messages/v4/*", do: "drop-after", times: 1 });
    await expect(door.call("POST", "/messages/v4/send", send)).rejects.toThrow();
    expect(await sent()).toBe(1);
  });

  test("truncate: it is done, and the answer breaks off in its middle", async () => {
    await add({ on: "POST *", do: "truncate", times: 1 });
    await expect(door.call("POST", "/messages/v4/send", send)).rejects.toThrow();
    expect(await sent()).toBe(1);
  });

  test("garbage: it is done, and something else than JSON is answered", async () => {
    await add({ on: "POST *", do: "garbage", times: 1 });
    const { status, headers, text } = await door.call("POST", "/messages/v4/send", send);
    expect({ status, type: headers["content-type"] }).toEqual({ status: 200, type: "text/html" });
    expect(text).toContain("<html>");
    expect(await sent()).toBe(1);
  });

  test("status and rate-limit: a refusal, and nothing happens", async () => {
    await add({ on: "POST /messages/v4/send", do: "status:503", times: 1 });
    await add({ on: "*", do: "rate-limit", times: 1 });
    const first = await door.call("POST", "/messages/v4/send", send);
    expect([first.status, errorCodeOf(jsonOf(first))]).toEqual([503, "InternalServerError"]);
    const second = await door.call("POST", "/messages/v4/send", send);
    expect([second.status, second.headers["retry-after"]]).toEqual([429, "1"]);
    expect(errorCodeOf(jsonOf(second))).toBe("TooManyRequests");
    expect(await sent()).toBe(0);
  });

  test("method and path choose the requests; control routes are never struck", async () => {
    await add({ on: "POST *", do: "status:500" });
    expect((await balance()).status).toBe(200);
    expect((await door.call("POST", "/messages/v4/send-many", { body: {} })).status).toBe(500);
    await add({ on: "GET /cash/v1/balance", do: "status:418" });
    expect((await balance()).status).toBe(418);
    expect((await ask("GET", "/_sandbox/faults")).body).toMatchObject([
      { faultId: "1", on: "POST *", do: "status:500", happened: 1 },
      { faultId: "2", on: "GET /cash/v1/balance", do: "status:418", happened: 1 },
    ]);
    expect((await ask("DELETE", "/_sandbox/faults")).body).toEqual({ cleared: 2 });
    expect((await balance()).status).toBe(200);
  });

  test("times are counted down; a fault that is used up is gone", async () => {
    await add({ on: "*", do: "status:503", times: 2 });
    expect((await balance()).status).toBe(503);
    expect((await ask("GET", "/_sandbox/faults")).body).toMatchObject([{ timesLeft: 1 }]);
    expect((await balance()).status).toBe(503);
    expect((await balance()).status).toBe(200);
  });

  test("a probability strikes some, and the same seed strikes the same", async () => {
    const row = async (): Promise<number[]> => {
      await ask("POST", "/_sandbox/reset", { seed: 7 });
      await add({ on: "*", do: "status:503", probability: 0.5 });
      const statuses: number[] = [];
      for (let at = 0; at < 40; at += 1) statuses.push((await balance()).status);
      return statuses;
    };
    const first = await row();
    const struck = first.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(8);
    expect(struck).toBeLessThan(32);
    expect(await row()).toEqual(first);
  });

  test("the log says which fault struck", async () => {
    await add({ on: "*", do: "drop-before", times: 1 });
    await expect(balance()).rejects.toThrow();
    const { requests } = replyOf(controls.listRequests, await ask("GET", "/_sandbox/requests"));
    expect(requests).toMatchObject([
      { method: "GET", path: "/cash/v1/balance", verdict: "fault drop-before" },
    ]);
  });

  test.each([
    { on: "somewhere", do: "drop-after" },
    { on: "GET messages", do: "drop-after" },
    { on: "*", do: "explode" },
    { on: "*", do: "status:200" },
    { on: "*", do: "status" },
    { on: "*", do: "delay:soon" },
    { on: "*", do: "garbage:1" },
    { on: "*", do: "garbage", times: 0 },
    { on: "*", do: "garbage", probability: 2 },
  ])("$on $do is refused with how it is written", async (fault) => {
    const told = await add(fault);
    expect([told.status, errorCodeOf(told)]).toEqual([400, "ValidationError"]);
  });
});

describe("delay", () => {
  const delayed = () => {
    const waits: number[] = [];
    const sandbox = openSandbox({
      file: ":memory:",
      now: () => new Date(start),
      // The server's own beat never ends; a delay is over at once.
      wait: (ms, signal) => {
        waits.push(ms);
        if (ms === 2000) return Promise.resolve();
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      },
      timeoutMs: 5000,
    });
    return { sandbox, waits };
  };
  const fault = Buffer.from(JSON.stringify({ on: "GET *", do: "delay:2s" }));
  const json = { "content-type": "application/json" };

  test("in process the answer is held back", async () => {
    const { sandbox, waits } = delayed();
    const { signal } = new AbortController();
    const post = { method: "POST", target: "/_sandbox/faults", headers: json } as const;
    await sandbox.send({ ...post, body: fault }, signal);
    const get = { method: "GET", target: "/nothing", headers: {} } as const;
    expect((await sandbox.send(get, signal)).status).toBe(404);
    expect(waits).toEqual([2000]);
    sandbox.close();
  });

  test("over HTTP too", async () => {
    const { sandbox, waits } = delayed();
    const server = await sandbox.listen({ port: 0 });
    await exchange(server.baseUrl, "POST", "/_sandbox/faults", json, fault);
    expect((await exchange(server.baseUrl, "GET", "/nothing", {})).status).toBe(404);
    expect(waits).toContain(2000);
    await server.close();
    sandbox.close();
  });
});
