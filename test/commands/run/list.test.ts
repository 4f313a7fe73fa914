/** The list of runs, for a screen and for programs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shell } from "../../support/msg.ts";

test("a screen shows the name of the source and the profile; programs get the whole path", async () => {
  const at = shell({ env: { NO_COLOR: "1" } });
  const file = join(at.folder, "july.csv");
  writeFileSync(file, "to\n01000000001\n");
  const ran = await at(`send-many ${file} --from 0200000000 --text x --sandbox`);
  expect(ran.code, ran.err).toBe(0);
  const screen = await at("run list", { tty: 160 });
  expect(screen.out).toMatch(/SOURCE\s+PROFILE/);
  expect(screen.out).toMatch(/ july\.csv\s+sandbox /);
  expect(screen.out).not.toContain(at.folder);
  expect((await at("run list", { tty: 60 })).out).toMatch(
    /^RUN .*UNKNOWN .*FAILED .*STATE\n.* done\n/,
  );
  const piped = await at("run list --fields source,profile");
  expect(piped.out).toBe(`${file}\tsandbox\n`);
  expect((await at("run list --json")).json()).toMatchObject([
    { source: file, profile: "sandbox" },
  ]);
});

test("what a key may do is listed noun by noun", async () => {
  const at = shell({ env: { NO_COLOR: "1" } });
  const { out } = await at("auth can --sandbox", { tty: 160 });
  const nouns = out
    .split("\n")
    .map((line) => /^(\w\S*) {2}/.exec(line)?.[1])
    .filter((noun) => noun !== undefined && noun !== "NOUN");
  expect(nouns.length).toBeGreaterThan(10);
  expect(new Set(nouns).size).toBe(nouns.length);
});

test("a run whose group the service no longer has hides the results of no other", async () => {
  const at = shell({ env: { MSG_PROFILE: "sandbox" } });
  const send = (to: string) => at(["send-many", "-", ...from], { stdin: `to\n${to}\n` });
  await at("sandbox set --tick 0");
  await at("sandbox clock set 2026-09-01T00:00:00Z");
  expect((await send("01000000001")).code).toBe(0);
  await at("sandbox clock set 2026-01-06T00:00:00Z");
  expect((await send("01000000002")).code).toBe(0);
  await at("sandbox clock set 2026-09-01T01:00:00Z");
  const { out } = await at("run list --fields delivered");
  expect(out).toBe("\n1\n");
});

const from = ["--from", "0200000000", "--text", "x"];
