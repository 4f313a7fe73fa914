/** The commands that msg suggests: copied, they work. */
import { expect, test } from "vitest";
import { carryProfile } from "../../src/app/named-profile.ts";

const named = { value: "work", from: "flag --profile", origin: "flag" } as const;
const carry = carryProfile({ profile: named, sandbox: false });

test.each([
  ["wait again: msg group wait G4V", "wait again: msg -p work group wait G4V"],
  ["add --max-cost 20", "add --max-cost 20"],
  ["msg balance charge 10 tops it up", "msg -p work balance charge 10 tops it up"],
  ["msg explain 1062", "msg explain 1062"],
])("carry the profile that the line named: %s", (said, expected) => {
  expect(carry(said)).toBe(expected);
});

test("a run's id, and a profile that is named already, need none", () => {
  const run = "msg send-many --resume 20260105-180000000-00ff00 -y; msg send -p other --to 1";
  expect(carry(run)).toBe(run);
});

test("nothing is added where the line named no profile, and in the sandbox", () => {
  const said = "msg group wait G4V";
  const current = { profile: { ...named, origin: "profile" as const }, sandbox: false };
  expect(carryProfile(current)(said)).toBe(said);
  expect(carryProfile({ profile: named, sandbox: true })(said)).toBe(said);
});
