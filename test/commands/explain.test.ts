import { describe, expect, test } from "vitest";
import { shell } from "../support/msg.ts";

const msg = shell();

describe("msg explain", () => {
  test("tells what a status code means, whether it is charged, and what to do", async () => {
    const { code, json } = await msg("explain 1062 --json");
    expect(code).toBe(0);
    expect(json()).toEqual({
      code: "1062",
      meaning: "sender number not registered",
      charged: false,
      todo: "register the sender number, or use another",
    });
  });

  test("knows error codes, upper and lower case alike", async () => {
    const { out } = await msg("explain notenoughbalance --fields code,charged");
    expect(out).toBe("NotEnoughBalance\tfalse\n");
  });

  test("names near codes for an unknown one, exit 6", async () => {
    const { code, err } = await msg("explain NotEnoughBalanc");
    expect(code).toBe(6);
    expect(err).toContain("did you mean NotEnoughBalance?");
  });
});
