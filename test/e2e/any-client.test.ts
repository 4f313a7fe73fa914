/** Clients that are not ours use the sandbox as the README shows. */
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { keyEnv } from "../support/signer.ts";
import { binary, program, root, sandboxServer } from "./program.ts";

const run = promisify(execFile);
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The first block of a language in the section on other clients. */
const blockOf = (language: string): string => {
  const section = readme.split("## Any client")[1]?.split("\n## ")[0] ?? "";
  return section.split(`\`\`\`${language}\n`)[1]?.split("```")[0] ?? "";
};

test("curl signed with openssl, and Python, as shown in the README", async () => {
  const msg = program();
  const { baseUrl, stop } = await sandboxServer(msg);
  symlinkSync(binary, join(msg.folder, "msg"));
  const env = {
    ...msg.env,
    PATH: `${msg.folder}:${msg.env.PATH}`,
    ...keyEnv(),
  };
  const at = `msg sandbox env --port ${new URL(baseUrl).port}`;
  const shown = blockOf("sh").replace("msg sandbox env", at);
  const { stdout } = await run("bash", ["-c", shown], { env });
  expect(JSON.parse(stdout)).toMatchObject({ accountId: "26010500000001" });

  const python = await run("python3", ["-c", blockOf("python")], { env });
  const answer = await run("curl", [
    "-s",
    `${baseUrl}/cash/v1/balance`,
    "-H",
    `Authorization: ${python.stdout.trim()}`,
  ]);
  expect(JSON.parse(answer.stdout)).toMatchObject({ accountId: "26010500000001" });
  await stop();
});
