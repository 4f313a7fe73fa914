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

  test.each([
    ["darwin", {}, "/me/Library/Preferences/msg", "/me/Library/Application Support/msg"],
    ["win32", {}, "/me/AppData/Roaming/msg/Config", "/me/AppData/Local/msg/Data"],
    ["win32", { APPDATA: "/r", LOCALAPPDATA: "/l" }, "/r/msg/Config", "/l/msg/Data"],
    ["darwin", { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" }, "/c/msg", "/s/msg"],
  ] as const)("%s keeps its conventions: %o", (platform, more, config, state) => {
    const env = { USERPROFILE: "/me", ...more };
    expect([configFolder(env, platform), stateFolder(env, platform)]).toEqual([config, state]);
  });
});
