import { describe, expect, test } from "vitest";
import { configFolder, stateFolder } from "../../src/config/paths.ts";

describe("where files are kept", () => {
  test.each([
    [{ HOME: "/people/me" }, "/people/me/.config/msg", "/people/me/.local/state/msg"],
    [{ HOME: "/people/me", XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" }, "/c/msg", "/s/msg"],
    [
      { HOME: "/people/me", XDG_CONFIG_HOME: "c", XDG_STATE_HOME: "" },
      "/people/me/.config/msg",
      "/people/me/.local/state/msg",
    ],
    [{ XDG_CONFIG_HOME: "/c", MSG_CONFIG_DIR: "/own", MSG_STATE_DIR: "/state/" }, "/own", "/state"],
  ])("%o", (env, config, state) => {
    expect([configFolder(env), stateFolder(env)]).toEqual([config, state]);
  });

  test.each([{}, { HOME: "" }, { HOME: "relative" }])(
    "D06 without a home (%o) it says what to set",
    (env) => {
      expect(() => configFolder(env)).toThrow("HOME is not set");
      expect(() => stateFolder(env)).toThrow("HOME is not set");
    },
  );
});
