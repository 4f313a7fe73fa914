/** A length of time is written the same way wherever one is asked for. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";

const flags = [
  "run reconcile last --settle",
  "run cancel last --settle",
  "run purge --older",
  "send-many --resume last --settle",
  "send-many --resume last --wait --within",
  "sandbox inbox wait --to 01000000001 --within",
  "group wait G4V0 --within",
  "balance --timeout",
];

test.each(flags)(
  "msg %s: what is no length of time is refused, with those that are",
  async (line) => {
    const at = shell();
    await at("send-many - --sandbox --from 0200000000 --text x", { stdin: "to\n01000000001\n" });
    const { code, err } = await at(`${line} soon --sandbox`);
    expect([code, err]).toEqual([2, expect.stringContaining("'soon' is not a duration")]);
    expect(err).toContain("250ms, 10s, 5m, 2h, 1d");
  },
);
