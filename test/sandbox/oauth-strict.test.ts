/** A sandbox that was started with --strict-oauth: apps prove that they asked for the code (PKCE). */
import { describe, expect, test } from "vitest";
import { authorizeTarget, verdict } from "./apps.ts";
import { doors } from "./doors.ts";

describe.each(doors)("strict OAuth2, %s", (_name, open) => {
  const challenged = { code_challenge: "c".repeat(43), code_challenge_method: "S256" };

  test.each([
    ["strict, without a challenge", true, {}, "400 ValidationError"],
    ["strict, with one", true, challenged, "200"],
    ["as usual, without one", false, {}, "200"],
  ])("%s", async (_what, strictOAuth, query, expected) => {
    const door = await open({ strictOAuth });
    expect(verdict(await door.call("GET", authorizeTarget(query), { signing: null }))).toBe(
      expected,
    );
    await door.close();
  });

  test("only the method S256 is taken", async () => {
    const door = await open({ strictOAuth: true });
    const plain = authorizeTarget({ ...challenged, code_challenge_method: "plain" });
    expect(verdict(await door.call("GET", plain, { signing: null }))).toBe("400 ValidationError");
    await door.close();
  });
});
