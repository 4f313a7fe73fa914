/** The recipe of README.md for a container without a disk, in containers that are killed one after the other. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary, freshFolder, root } from "../e2e/program.ts";
import { hostileLine } from "../soak/hostile-line.ts";
import { envFor, numbersOf, rowsOf, type Service } from "./books.ts";
import { openLine } from "./line.ts";

const recipe = /^until msg .*; done$/m.exec(readFileSync(join(root, "README.md"), "utf8"))?.[0];
const waitedMs = 120_000;
/** Whatever does harm to the line of an orchestrator, it does not start the same for ever. */
const mostContainers = 60;

export interface Containers {
  readonly rows: number;
  /** Number of the first recipient. */
  readonly first: number;
  /** After so many milliseconds each of them is killed; the ones behind them are left alone. */
  readonly killedAfter: readonly number[];
}

/** Runs the recipe until `msg` has ended with 0; answers all of its exit codes, and how often each row was sent. */
export const runContainers = async (service: Service, it: Containers) => {
  const { rows, first, killedAfter } = it;
  // Nobody waits a minute here for a machine that is gone.
  const date = (): Date => new Date(Date.now() + waitedMs);
  const { harm, heard } = hostileLine();
  const line = await openLine({ to: service.baseUrl, harm, heard, date });
  const codes: (readonly string[])[] = [];
  const list = rowsOf(rows, first);
  const key = `key-${first}`;
  try {
    for (let at = 0; at < mostContainers && codes.at(-1)?.at(-1) !== "0"; at += 1)
      codes.push(
        await runContainer({ list, key, env: envFor(line), killedAfter: killedAfter[at] }),
      );
  } finally {
    await line.stop();
  }
  return { codes, sent: service.countsOf(numbersOf(rows, first)) };
};

interface Container {
  readonly list: string;
  readonly key: string;
  readonly env: Readonly<Record<string, string>>;
  readonly killedAfter: number | undefined;
}

/** One that has nothing but its image. Answers the exit codes of `msg` in it. */
const runContainer = async ({ list, key, env, killedAfter }: Container): Promise<string[]> => {
  const folder = freshFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(folder, "list.csv"), list);
  writeFileSync(join(folder, "codes"), "");
  const program = `"${process.execPath}" "${binary}" "$@" 2>>"${folder}/err"`;
  const msg = `#!/bin/sh\n${program}\ncode=$?\necho $code >> "${folder}/codes"\nexit $code\n`;
  writeFileSync(join(bin, "msg"), msg, { mode: 0o755 });
  writeFileSync(join(bin, "sleep"), "#!/bin/sh\nexec /bin/sleep 0.1\n", { mode: 0o755 });
  const words = (recipe ?? "exit 1").replace("july", `${key} --from 0200000000 --text x --chunk 3`);
  const child = spawn(
    "/bin/sh",
    ["-c", `${words.replace("--chunk 3", "--chunk 3 --group-size 3")}`],
    {
      cwd: folder,
      // All of it is killed at once, as a container is.
      detached: true,
      stdio: "ignore",
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder, ...env },
    },
  );
  const timer =
    killedAfter === undefined ? undefined : setTimeout(() => killAll(child), killedAfter);
  await once(child, "close");
  clearTimeout(timer);
  return readFileSync(join(folder, "codes"), "utf8").split("\n").filter(Boolean);
};

const killAll = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended a moment ago.
  }
};
