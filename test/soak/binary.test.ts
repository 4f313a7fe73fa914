/** The standalone binary: one file that sends, serves its pages and writes spreadsheets, with nothing beside it. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder, root, sendTo } from "../e2e/program.ts";

test("runs in an empty folder without Node", { timeout: 300_000 }, async () => {
  execFileSync("npx", ["-y", "-p", "node@26", "--", "node", ".binary.mjs"], { cwd: root });
  const cwd = freshFolder();
  const file = join(cwd, "msg");
  copyFileSync(join(root, "dist/binary/msg"), file);
  const env = { HOME: cwd };
  const msg = (...line: readonly string[]) => execFileSync(file, line, { cwd, env }).toString();

  const sent: unknown = JSON.parse(msg(...sendTo("01000000001", "--json")));
  expect(sent).toMatchObject({ statusCode: "2000" });
  msg("message", "export", "messages.xlsx", "--sandbox");
  expect(readFileSync(join(cwd, "messages.xlsx")).subarray(0, 2).toString()).toBe("PK");

  const server = spawn(file, ["sandbox", "start", "--port", "0", "--json"], { cwd, env });
  const [first]: readonly unknown[] = await once(server.stdout, "data");
  const { pages } = JSON.parse(String(first).split("\n")[0] ?? "");
  const page = await fetch(pages);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<html")]);
  server.kill();
  await once(server, "exit");
});
