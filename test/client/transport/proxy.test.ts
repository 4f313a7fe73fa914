import { describe, expect, test } from "vitest";
import { proxyFor } from "../../../src/client/transport/connector.ts";

const proxy = "http://proxy.test:3128";
const find = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.host;

describe("which proxy", () => {
  test.each([
    ["https://api.test", { HTTPS_PROXY: proxy }, "proxy.test:3128"],
    [
      "https://api.test",
      { https_proxy: proxy, HTTPS_PROXY: "http://other.test" },
      "proxy.test:3128",
    ],
    ["https://api.test", { HTTPS_PROXY: "proxy.test:3128" }, "proxy.test:3128"],
    ["https://api.test", { HTTPS_PROXY: "" }, undefined],
    ["https://api.test", { HTTP_PROXY: proxy }, undefined],
    ["https://localhost", { HTTPS_PROXY: proxy }, undefined],
    ["http://127.0.0.1:80", { HTTP_PROXY: "http://127.0.0.1:9" }, "127.0.0.1:9"],
  ])("%s with %o", (url, env, host) => {
    expect(find(url, env)).toBe(host);
  });

  test.each([
    ["*", undefined],
    ["api.test", undefined],
    [".test", undefined],
    ["test", undefined],
    ["*.test", undefined],
    ["other.test, API.test:443", undefined],
    ["api.test:8443", "proxy.test:3128"],
    ["pi.test", "proxy.test:3128"],
    ["", "proxy.test:3128"],
  ])("NO_PROXY '%s'", (list, host) => {
    expect(find("https://api.test", { HTTPS_PROXY: proxy, NO_PROXY: list })).toBe(host);
  });

  test("an address that is none is named by its variable, never by its value", () => {
    const wrong = () => find("https://api.test", { HTTPS_PROXY: "socks5://ann:p455@proxy" });
    expect(wrong).toThrow("HTTPS_PROXY");
    expect(wrong).not.toThrow("p455");
  });
});
