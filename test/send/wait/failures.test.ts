/** What `run watch` and `--wait` make of failures: each message once, and nothing is waited for that never comes. */
import * as v from "valibot";
import { expect, test } from "vitest";
import { envFor } from "../../faults/books.ts";
import { openLine } from "../../faults/line.ts";
import { oneService } from "../../faults/one-service.ts";
import { hurriedWorld, testClock } from "../../support/clock.ts";
import { shell } from "../../support/msg.ts";

const clock = hurriedWorld();
const { opened } = oneService(clock.now);

const words = ["send-many", "-", "--from", "0200000000", "--dedupe", "off", "--json"];
const look = v.looseObject({ failed: v.number(), failures: v.array(v.unknown()) });

const lastOf = (out: string): unknown =>
  v.parse(look, JSON.parse(out.trim().split("\n").at(-1) ?? ""));

test("a page that is not answered is asked for again, and what came before it counts once", async () => {
  const asked = { pages: 0 };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) => {
      if (method !== "GET" || !path.endsWith("/list")) return undefined;
      asked.pages += 1;
      return asked.pages > 1 && asked.pages < 10 ? "failBefore" : undefined;
    },
  });
  const msg = shell({ ...clock, env: envFor(line) });
  const stdin = `to\n${Array.from({ length: 501 }, () => "01000003104").join("\n")}\n`;
  expect((await msg([...words, "--text", "x"], { stdin })).code).toBe(0);
  const watched = await msg("run watch last --json");
  await line.stop();
  expect(asked.pages).toBeGreaterThan(10);
  expect(lastOf(watched.out), watched.err).toMatchObject({
    failed: 501,
    failures: [{ code: "3104", count: 501 }],
  });
});

test("of a message that another was sent in place of, the last code counts", async () => {
  const msg = shell({ ...clock, env: envFor(opened()) });
  const template = ["--template", "KA01TP260101000000000SANDBOX0004", "--var", "name=A"];
  const stdin = "to\n01000003104\n01000003042\n01000000007\n";
  expect((await msg([...words, ...template, "--fallback-text", "x"], { stdin })).code).toBe(0);
  const watched = await msg("run watch last --json");
  expect(lastOf(watched.out), watched.err).toMatchObject({
    failed: 1,
    failures: [{ code: "3042", count: 1 }],
    lastFailures: [{ to: "01000003042", code: "3042" }],
  });
});

test("--wait does not wait for a group of which every message was refused: it is never sent", async () => {
  const time = testClock("2026-01-15T03:00:00.000Z");
  const stdin = "to\n01000001060\n01000000001\n";
  const parts = ["--text", "x", "--chunk", "1", "--group-size", "1", "--sandbox"];
  const ran = await shell(time)([...words, ...parts, "--wait", "--within", "1h"], { stdin });
  expect([ran.code, JSON.parse(ran.out)], ran.err).toMatchObject([3, { delivered: 1, refused: 1 }]);
  expect(time.now().toISOString()).toBe("2026-01-15T03:00:02.000Z");
});

test("send --wait shows the message as it was read, if what replaced it cannot be read: exit 8", async () => {
  const seen = { isListed: false };
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method }) => (method === "GET" && seen.isListed ? "failBefore" : undefined),
    on: ({ path }, moment) => {
      seen.isListed ||= path.endsWith("/list") && moment === "answered";
    },
  });
  const msg = shell({ ...clock, env: envFor(line) });
  const template = ["--template", "KA01TP260101000000000SANDBOX0004", "--var", "name=A"];
  const one = ["send", "--to", "01000003104", "--from", "0200000000", ...template, "--yes"];
  const { code, out, err } = await msg([...one, "--wait", "--json"]);
  await line.stop();
  expect(code, err).toBe(8);
  expect(JSON.parse(out)).toMatchObject({ to: "01000003104", statusCode: "3104" });
  expect(err).toContain("it was accepted, but its outcome is unknown");
});
