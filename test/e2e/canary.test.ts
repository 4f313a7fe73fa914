/** A marked secret is put into msg; it stands in nothing that commands print and write, nor in the process itself. */
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { table } from "../../src/commands/table.ts";
import { openService, type Service } from "../faults/books.ts";
import { hurried } from "../support/clock.ts";
import { shell, words } from "../support/msg.ts";
import { freshFolder, program } from "./program.ts";

const key = "SANDBOXKEY000001";
const canary = "CANARY-q7f3-Secret/of+this=Key";
const forms = [
  canary,
  encodeURIComponent(canary),
  ...(["base64", "base64url", "hex"] as const).map((it) => Buffer.from(canary).toString(it)),
];
const leaks = (bytes: string | Buffer): boolean => forms.some((form) => bytes.includes(form));

const service: { it?: Service } = {};
const home = process.cwd();
beforeAll(async () => {
  service.it = await openService(freshFolder());
  service.it.rows(`UPDATE api_keys SET secret = '${canary}' WHERE apiKey = '${key}'`);
});
afterAll(async () => {
  process.chdir(home);
  await service.it?.stop();
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name));

/** The first line that a shell has nothing to do for, with the service in the place of every other host. */
const runnable = async (path: string, baseUrl: string): Promise<string | undefined> => {
  const { examples } = (await table[path]?.load())?.default ?? { examples: [] };
  return examples
    .find((line) => line.startsWith("msg ") && !/[|>$]|&&|sandbox start| -f$/.test(line))
    ?.slice(4)
    .replace(/https?:\/\/[\w.:]+/g, baseUrl);
};

test("no command prints the secret of a profile, or writes it beside the credentials", {
  timeout: 60_000,
}, async () => {
  const { baseUrl = "" } = service.it ?? {};
  const msg = shell(hurried());
  for (const profile of ["work", "default"]) {
    const login = `auth login -p ${profile} --base-url ${baseUrl} --api-key ${key} --secret-stdin`;
    expect((await msg(login, { stdin: canary })).code).toBe(0);
  }
  // Examples name files of their own.
  mkdirSync(join(msg.folder, "here"));
  process.chdir(join(msg.folder, "here"));
  const found: string[] = [];
  const codes = new Set<number>();
  const paths = Object.keys(table).filter((it) => !/^auth (login|logout|token)$/.test(it));
  for (const [at, path] of paths.entries()) {
    const line = await runnable(path, baseUrl);
    if (line === undefined) continue;
    const given = [...words(line), "-y", "--no-input", "--debug", "-o", at % 2 ? "json" : "table"];
    const { code, out, err } = await msg(given, { signal: AbortSignal.timeout(1_000) });
    codes.add(code);
    if (leaks(out + err)) found.push(line);
  }
  expect(found).toEqual([]);
  expect(codes).toContain(0);
  const holding = filesBelow(msg.folder).filter((it) => leaks(readFileSync(it)));
  expect(holding.map((it) => basename(it))).toEqual(["credentials.json"]);
});

test("no list of processes and no report of a crash shows the secret (Linux)", async () => {
  const msg = program();
  const env = {
    ...{ MSG_BASE_URL: "http://127.0.0.1:9", MSG_API_KEY: key, MSG_API_SECRET: canary },
    NODE_OPTIONS: `--report-on-signal --report-directory=${msg.folder}`,
  };
  const child = msg.start(["sandbox", "start", "--port", "0", "--memory", "--json"], { env });
  await once(child.stdout, "data");
  for (const file of ["cmdline", "comm"])
    expect(leaks(readFileSync(`/proc/${child.pid}/${file}`))).toBe(false);
  child.kill("SIGUSR2");
  await expect.poll(() => reportsIn(msg.folder)).toHaveLength(1);
  await expect.poll(() => reportsIn(msg.folder)[0]).toContain("environmentVariables");
  expect(reportsIn(msg.folder).filter(leaks)).toEqual([]);
  child.kill("SIGTERM");
  await once(child, "exit");
});

const reportsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("report."))
    .map((name) => readFileSync(join(folder, name), "utf8"));
