import { describe, expect, test } from "vitest";
import { retryWhileBusy } from "../../src/durable/files.ts";

const failing = (code: string, times: number) => {
  const calls = { count: 0 };
  const action = (): void => {
    calls.count += 1;
    if (calls.count <= times) throw Object.assign(new Error(code), { code });
  };
  return { action, calls };
};

describe("a rename that another process holds up", () => {
  test.each(["EPERM", "EBUSY"])("with %s is tried again until it is let through", (code) => {
    const { action, calls } = failing(code, 2);
    retryWhileBusy(action);
    expect(calls.count).toBe(3);
  });

  test("ends with the error where it stays so", () => {
    const { action, calls } = failing("EPERM", 99);
    expect(() => retryWhileBusy(action)).toThrow("EPERM");
    expect(calls.count).toBe(7);
  });

  test("of any other kind is not tried again", () => {
    const { action, calls } = failing("ENOSPC", 1);
    expect(() => retryWhileBusy(action)).toThrow("ENOSPC");
    expect(calls.count).toBe(1);
  });
});
