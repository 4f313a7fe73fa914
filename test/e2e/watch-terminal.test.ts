/** Reports and the live view of a run in a real terminal, over both doors. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doors, overHttp } from "./doors.ts";
import { framesOf, onTerminal, plain } from "./on-terminal.ts";
import { ended, type Program } from "./program.ts";

/** A run of three rows, one of them refused, whose reports do not come before the sandbox's time is moved. */
const sent = async (env: Readonly<Record<string, string>>, msg: Program): Promise<void> => {
  await msg(["sandbox", "set", "--sandbox", "--tick", "1h"]);
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, "to\n01000000001\n01000003104\n01000001060\n");
  const line = ["send-many", file, "--from", "0200000000", "--text", "hi", "-y"];
  const { code, err } = await msg(line, { env });
  expect(code, err).toBe(3);
};

const widthOf = (frame: string): number =>
  Math.max(...frame.split("\n").map((line) => line.length));

test.each(doors)("the screen fits 40 and 200 columns, and leaves by q, %s", async (_door, open) => {
  const { msg, env } = await open();
  await sent(env, msg);
  for (const columns of [40, 200]) {
    const answers = [[/on the way 2 of 2/, "q"]] as const;
    const { code, screen } = await onTerminal(msg, ["run", "watch", "last"], {
      columns,
      env,
      answers,
    });
    expect(code, plain(screen)).toBe(0);
    const last = framesOf(screen).at(-1) ?? "";
    expect(last).toContain("1060 recipient number blocked");
    expect(widthOf(last)).toBeLessThan(columns);
    expect(widthOf(last)).toBeGreaterThan(columns * 0.45);
    // A screen of its own, which is given back; the last of it stays as a card.
    expect(screen).toContain("\u001b[?1049h");
    expect(plain(screen.split("\u001b[?1049l")[1] ?? "")).toMatch(/^pending +2$/m);
  }
});

test("another width is drawn anew, f shows all failures, Ctrl-C leaves with 130", async () => {
  const { msg, env } = await overHttp();
  await sent(env, msg);
  const { code, screen } = await onTerminal(msg, ["run", "watch", "last"], {
    ...{ columns: 120, env, resized: [/on the way 2 of 2/, 50] },
    answers: [
      [/last failures/, "f"],
      [/remove this recipient/, "\u0003"],
    ],
  });
  expect(code, plain(screen)).toBe(130);
  const frames = framesOf(screen);
  expect(frames.some((frame) => widthOf(frame) > 80)).toBe(true);
  expect(widthOf(frames.at(-1) ?? "")).toBeLessThan(50);
  expect(plain(screen)).toContain("stopped watching; the run is not affected");
});

/** Requests for a group that the sandbox saw. */
const groupReads = async (msg: Program): Promise<number> => {
  const { out } = await msg(["sandbox", "requests", "--sandbox", "--limit", "100", "--json"]);
  const seen: readonly { path: string }[] = JSON.parse(out);
  return seen.filter(({ path }) => path.startsWith("/messages/v4/groups/")).length;
};

test("over a slow line one request is asked at a time, and q does not wait for it", async () => {
  const { msg, env } = await overHttp();
  await sent(env, msg);
  const slow = ["sandbox", "fault", "add", "--sandbox", "--on", "GET /messages/v4/groups/*"];
  expect((await msg([...slow, "--do", "delay:2s"])).code).toBe(0);
  const before = await groupReads(msg);
  const piped = await ended(msg.start(["run", "watch", "last", "--within", "4s"], { env }));
  expect(piped.code, piped.err).toBe(8);
  // Each takes two seconds, and a second passes behind it.
  expect((await groupReads(msg)) - before).toBeLessThanOrEqual(3);
  await msg(["sandbox", "fault", "clear", "--sandbox"]);
  expect((await msg([...slow, "--do", "delay:1h"])).code).toBe(0);
  const { code, screen } = await onTerminal(msg, ["run", "watch", "last"], {
    env,
    answers: [[/reading/, "q"]],
  });
  expect(code, plain(screen)).toBe(0);
});

test.each(doors)("reports and failures on a terminal, %s", async (_door, open) => {
  const { msg, env: door } = await open();
  const env = { ...door, NO_COLOR: "1" };
  await sent(env, msg);
  const failures = await onTerminal(msg, ["stats", "failures"], { env });
  expect(plain(failures.screen)).toMatch(
    /1060 +recipient number blocked +1 +100 % +0 +remove this/,
  );
  const file = join(msg.folder, "report.html");
  const { code, screen } = await onTerminal(msg, ["run", "report", "last", "--out", file], { env });
  expect(code, plain(screen)).toBe(0);
  expect(plain(screen)).toMatch(/rows +3\ndelivered +0\nfailed +0/);
  expect(existsSync(file)).toBe(true);
  const assistant = await onTerminal(msg, ["mcp"], { env });
  expect(assistant.code).toBe(2);
  expect(plain(assistant.screen)).toContain("msg mcp talks to a program");
});
