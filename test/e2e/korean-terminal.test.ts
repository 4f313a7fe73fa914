/** A run in progress and its reports, in Korean, in a real terminal, over both doors. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSheet } from "read-excel-file/node";
import { expect, test } from "vitest";
import { displayWidth } from "../../src/output/text/width.ts";
import { doors } from "./doors.ts";
import { framesOf, onTerminal, plain } from "./on-terminal.ts";
import { ended } from "./program.ts";

const widthOf = (frame: string): number => Math.max(...frame.split("\n").map(displayWidth));

test.each(doors)(
  "a run is watched while it is sent, across a new width, %s",
  async (_door, open) => {
    const { msg, env } = await open();
    const korean = { ...env, MSG_LANG: "ko" };
    await msg(["sandbox", "set", "--sandbox", "--tick", "0"]);
    const slow = ["--on", "PUT /messages/v4/groups/*/messages", "--do", "delay:700ms"];
    await msg(["sandbox", "fault", "add", "--sandbox", ...slow]);
    const file = join(msg.folder, "list.csv");
    const rows = Array.from({ length: 8 }, (_, at) => `0100000000${at + 1}`);
    writeFileSync(file, `to\n${rows.join("\n")}\n`);
    const flags = ["--from", "0200000000", "--text", "안녕", "--chunk", "1", "--concurrency", "1"];
    const sent = ended(msg.start(["send-many", file, ...flags, "-y"], { env }));
    while (!(await msg(["run", "list"], { env })).out.includes("running"));
    const { code, screen } = await onTerminal(msg, ["run", "watch", "last"], {
      ...{ env: korean, columns: 200, resized: [/등록 +\d \/ 8건/, 40] },
    });
    expect((await sent).code).toBe(0);
    expect(code, plain(screen)).toBe(0);
    const frames = framesOf(screen);
    const filling = frames.filter((frame) => /등록 +\d \/ 8건/.test(frame));
    expect(widthOf(filling[0] ?? "")).toBeGreaterThan(90);
    expect(widthOf(filling.at(-1) ?? "")).toBeLessThan(40);
    expect(Math.max(...frames.map(widthOf))).toBeLessThan(200);
    expect(filling.at(-1)).toContain("실행 중");
    // Nothing is said in English but the run's id.
    for (const frame of frames)
      expect(frame.replace(/\b\d{8}-\d{9}-\w+/, "")).not.toMatch(/[a-z]{3}/);
    expect(plain(screen.split("\u001b[?1049l")[1] ?? "")).toMatch(/8/);
  },
);

test.each(doors)("its reports, as a page and as a spreadsheet, %s", async (_door, open) => {
  const { msg, env } = await open();
  const korean = { ...env, MSG_LANG: "ko" };
  const file = join(msg.folder, "list.csv");
  writeFileSync(file, "to\n01000000001\n01000001060\n");
  await msg(["send-many", file, "--from", "0200000000", "--text", "안녕", "-y"], { env });
  for (const name of ["report.html", "report.xlsx"]) {
    const words = ["run", "report", "last", "--out", join(msg.folder, name)];
    const { code, screen } = await onTerminal(msg, words, { env: korean });
    expect(code, plain(screen)).toBe(0);
    expect(plain(screen)).toContain("보고서에 수신번호와 내용이 들어 있습니다");
    expect((await onTerminal(msg, words, { env: korean })).code).toBe(2);
  }
  const page = readFileSync(join(msg.folder, "report.html"), "utf8");
  expect(page).toContain('<html lang="ko">');
  expect(page).toContain("01000001060");
  const [, first] = await readSheet(join(msg.folder, "report.xlsx"), "발송 내역");
  expect(first?.slice(0, 4)).toEqual(["01000000001", "0200000000", "SMS", "안녕"]);
});
