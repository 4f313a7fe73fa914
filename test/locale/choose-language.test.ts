import { expect, test } from "vitest";
import { chosenLanguage, systemLanguage } from "../../src/locale/locale.ts";

test("the line goes before the environment, the last flag counts, other words are passed over", () => {
  expect(chosenLanguage(["balance", "--lang", "ko"], { MSG_LANG: "en" })).toBe("ko");
  expect(chosenLanguage(["--lang=en", "balance", "--lang=ko"], {})).toBe("ko");
  expect(chosenLanguage(["--lang", "fr"], { MSG_LANG: "ko" })).toBe("ko");
  expect(chosenLanguage(["balance"], {})).toBeUndefined();
});

test.each([
  [{ LANG: "ko_KR.UTF-8" }, "ko"],
  [{ LANG: "ko" }, "ko"],
  [{ LANG: "kok_IN" }, "en"],
  [{ LC_ALL: "C", LANG: "ko_KR.UTF-8" }, "en"],
  [{ LC_MESSAGES: "ko_KR", LANG: "en_US.UTF-8" }, "ko"],
  [{ LC_ALL: "", LANG: "ko_KR" }, "ko"],
  [{}, "en"],
])("the locale %o is read as %s", (env, language) => {
  expect(systemLanguage(env)).toBe(language);
});
