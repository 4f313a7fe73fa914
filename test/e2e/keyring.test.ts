/** Secrets lie in one file of their own; no program of the desktop is asked for them. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { program, sandboxServer } from "./program.ts";

const secret = `SANDBOXSECRET${"0".repeat(19)}`;

test("C08 a keyring that hangs or is locked is never asked: the secret goes to the file", async () => {
  const msg = program();
  const server = await sandboxServer(msg);
  const bin = join(msg.folder, "bin");
  const asked = join(msg.folder, "asked");
  mkdirSync(bin);
  for (const name of ["secret-tool", "security", "kwallet-query", "pass"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$0" >> '${asked}'\nsleep 10\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = { PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  const login = ["auth", "login", "--base-url", server.baseUrl, "--api-key", "SANDBOXKEY000001"];
  const stored = await msg([...login, "--secret-stdin"], { stdin: `${secret}\n`, env });
  const status = await msg(["auth", "status", "--json"], { env });
  await server.stop();
  expect([stored.code, status.code]).toEqual([0, 0]);
  const file = join(msg.folder, "config/msg/credentials.json");
  expect(readFileSync(file, "utf8")).toContain(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(asked)).toBe(false);
});
