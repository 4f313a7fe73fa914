/** What operators mistype when they send: each mistake is named with the flag that mends it, and sends nothing. */
import { describe, expect, test } from "vitest";
import { type Options, shell } from "../../support/msg.ts";

const one = "send --sandbox --from 0200000000 --to 01000000001 --text hi";

/** What a command said that must not send; with what the service was asked to do then. */
const refused = async (line: string | readonly string[], options: Options = {}) => {
  const at = shell();
  const { code, err } = await at(line, options);
  const asked = await at("sandbox requests --sandbox --fields method --all");
  return { code, err, writes: asked.out.split("\n").filter((it) => it === "POST").length };
};

describe("msg send", () => {
  test.each(["", " "])(
    "a key of --once that is empty (%j) is a variable that was not set: 2",
    async (key) => {
      const { code, err, writes } = await refused([...one.split(" "), "--once", key]);
      expect([code, writes]).toEqual([2, 0]);
      expect(err).toMatch(/^error: --once takes a key, and this one is empty\n.*nothing was sent/);
    },
  );

  test.each([
    ["--type MMS", "--image: an MMS needs imageId"],
    ["--type ATA", "--kakao pfId: ATA needs a channel"],
    [`--field ${"k".repeat(31)}=v`, `--field: custom field "${"k".repeat(31)}"`],
  ])("%s: the flag to mend is one that there is", async (flags, said) => {
    const { code, err, writes } = await refused(`${one} ${flags}`);
    expect([code, writes], err).toEqual([2, 0]);
    expect(err).toContain(`error: ${said}`);
  });
});
