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

  const nothing = { exists: () => false };
  test.each([
    ["darwin", {}, "/me/Library/Preferences/msg", "/me/Library/Application Support/msg"],
    ["win32", {}, "/me/AppData/Roaming/msg/Config", "/me/AppData/Local/msg/Data"],
    ["win32", { APPDATA: "/r", LOCALAPPDATA: "/l" }, "/r/msg/Config", "/l/msg/Data"],
    ["darwin", { XDG_CONFIG_HOME: "/c", XDG_STATE_HOME: "/s" }, "/c/msg", "/s/msg"],
  ] as const)("%s keeps its conventions: %o", (platform, more, config, state) => {
    const env = { USERPROFILE: "/me", ...more };
    const system = { platform, ...nothing };
    expect([configFolder(env, system), stateFolder(env, system)]).toEqual([config, state]);
  });

  test("what a first version kept in another folder stays there", () => {
    const env = { HOME: "/me" };
    const kept = { platform: "darwin", exists: (it: string) => it.startsWith("/me/.") } as const;
    expect(configFolder(env, kept)).toBe("/me/.config/msg");
    expect(stateFolder(env, kept)).toBe("/me/.local/state/msg");
    const both = { ...kept, exists: () => true };
    expect(configFolder(env, both)).toBe("/me/Library/Preferences/msg");
  });
});
