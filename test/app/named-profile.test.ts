/** The commands that msg suggests: copied, they work. */
import { expect, test } from "vitest";
import { carryProfile } from "../../src/app/profile-and-language.ts";
import { table } from "../../src/commands/table.ts";
import { isSandboxRoute } from "../../src/contract/endpoint.ts";
import { shell } from "../support/msg.ts";

const named = { value: "work", from: "flag --profile", origin: "flag" } as const;
const noUrl = { value: undefined, from: "default", origin: "default" } as const;
const carry = carryProfile({ profile: named, baseUrl: noUrl }, {});

test.each([
  ["wait again: msg group wait G4V", "wait again: msg -p work group wait G4V"],
  ["add --max-cost 20", "add --max-cost 20"],
  ["msg balance charge 10 tops it up", "msg -p work balance charge 10 tops it up"],
  ["msg explain 1062", "msg explain 1062"],
  ["see what is allowed: msg auth can", "see what is allowed: msg -p work auth can"],
  ["(msg sender list)", "(msg -p work sender list)"],
  ["check with msg doctor", "check with msg -p work doctor"],
  [
    "ask for more (msg quota request) and resume: msg run show 20260105-180000000-00ff00",
    "ask for more (msg -p work quota request) and resume: msg run show 20260105-180000000-00ff00",
  ],
])("carry the profile that the line named: %s", (said, expected) => {
  expect(carry(said)).toBe(expected);
});

test("every command that calls the service carries it", async () => {
  for (const [path, { load }] of Object.entries(table)) {
    const calls = (await load()).default.endpoints.some((it) => !isSandboxRoute(it));
    if (calls) expect(carry(`msg ${path}`)).toBe(`msg -p work ${path}`);
  }
});

test("a run's id, and a profile that is named already, need none", () => {
  const run =
    "msg send-many --resume 20260105-180000000-00ff00 -y; msg send -p other --to 1; msg quota --profile other";
  expect(carry(run)).toBe(run);
});

test("nothing is added where the line named no profile", () => {
  const said = "msg group wait G4V";
  const current = { profile: { ...named, origin: "profile" as const }, baseUrl: noUrl };
  expect(carryProfile(current, {})(said)).toBe(said);
});

test("the sandbox and an address of the line are carried as they were typed", () => {
  const sandbox = { profile: { ...named, value: "sandbox" }, baseUrl: noUrl };
  expect(carryProfile(sandbox, {})("msg group wait G4V")).toBe("msg --sandbox group wait G4V");
  const url = { value: "http://127.0.0.1:4010", from: "flag --base-url", origin: "flag" } as const;
  const there = carryProfile({ profile: { ...named, origin: "default" }, baseUrl: url }, {});
  const run = "msg run show 20260105-180000000-00ff00";
  expect(there(run)).toBe(`msg --base-url ${url.value} ${run.slice(4)}`);
});

test("where the environment names a profile, that of a run's id is named", () => {
  const run = "msg run show 20260105-180000000-00ff00 shows it; msg run list shows all";
  const env = { MSG_PROFILE: "other" };
  expect(carryProfile({ profile: named, baseUrl: noUrl }, env)(run)).toBe(
    `msg -p work ${run.slice(4)}`,
  );
});

test("what is advised about a run of another profile names that profile", async () => {
  const at = shell();
  const stdin = "to\n01000000001\n";
  await at("send-many - --from 0200000000 --text x --sandbox", { stdin });
  const [{ run }] = JSON.parse((await at("run list --json")).out);
  expect((await at(`run cancel ${run} -y`)).err).toContain(": msg --sandbox message list");
});
