/**
 * What rows are known by at the service. Machines with another version of msg compare it: where one of these
 * values changes, they send what this version has sent.
 */
import { expect, test } from "vitest";
import { testClock } from "../support/clock.ts";
import { shell } from "../support/msg.ts";

const list = "to,name\n01000000001,하나\n01000000002,둘\n";
const plain = "301f27c77a5814d0e17fa7ca9c4af9d6c80f2c4c8185d174f06bedc074bb9c15";

test.each<[string, readonly string[], object]>([
  ["SMS", ["--text", "hello"], { "msg.in": plain, "msg.rows": "1-2" }],
  [
    "LMS with variables",
    ["--text", "#{name}님, 안녕하세요", "--subject", "인사"],
    { "msg.in": "dd6f7abeb3e26471e9ec75687594c9490416d2f477df95c79456dcd0b2f0ec8b" },
  ],
  [
    "for a later hour",
    ["--text", "hello", "--at", "2026-01-16T03:00:00Z"],
    { "msg.in": "2c46dbf57f7add5fcc7f2b8cb4cc57f464347a1ac03dc9c0425813c5995c353d" },
  ],
  [
    "Friendtalk",
    ["--text", "hello", "--kakao", JSON.stringify({ pfId: "KA01PF260101000000000SANDBOX0001" })],
    { "msg.in": "827245becdce3890928362266e1e6610cf2ddd78d67924894aa3881e137f89db" },
  ],
  [
    "one of two parts",
    ["--text", "hello", "--part", "1/2"],
    { "msg.in": plain, "msg.rows": "1-1", "msg.worker": "1/2" },
  ],
  [
    "under a key",
    ["--text", "hello", "--once", "july"],
    {
      "msg.in": "3842907eba8a7de68a330a2d607f7ed70e0d864f77d57fa4720a0599394e6f57",
      "msg.once": "e414aa83bfed7081053689b36f6bff7bbcba5e5233977da5d47d2ee53b8eb9be",
    },
  ],
])("a list of two, %s", async (_, flags, known) => {
  const at = shell(testClock());
  const words = ["send-many", "-", "--sandbox", "--from", "0200000000", ...flags, "-y", "--json"];
  const sent = await at(words, { stdin: list });
  expect(sent.code, sent.err).toBe(0);
  const [group = ""]: readonly string[] = JSON.parse(sent.out).groups;
  const { json } = await at(["group", "get", group, "--sandbox", "--json"]);
  expect(json()).toMatchObject({ customFields: known });
});
