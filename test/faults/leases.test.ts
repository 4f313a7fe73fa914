/** Who owns a run, between real processes: one that is stopped, one that is killed, and two in containers of their own. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, entry, freshFolder } from "../e2e/program.ts";
import { type AtHome, atHome } from "./at-home.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

/** The clock that nobody sets goes so many times as fast: a time-out lasts two seconds. */
const haste = 10;
const hurry = join(freshFolder(), "hurry.cjs");
writeFileSync(
  hurry,
  `const now = performance.now.bind(performance); performance.now = () => ${haste} * now();`,
);
const hurried = { NODE_OPTIONS: `--require ${hurry}` };

type Hit = (passing: Passing) => boolean;

const requestsOf = {
  create: ({ method, path }) => method === "POST" && path === "/messages/v4/groups",
  add: ({ method, path }) => method === "PUT" && path.endsWith("/messages"),
  verify: ({ method, path }) => method === "GET" && path.startsWith("/messages/v4/groups/"),
  send: ({ method, path }) => method === "POST" && path.endsWith("/send"),
} satisfies Readonly<Record<string, Hit>>;

/** A line that calls `onHit` once, when the first request that is meant has arrived. */
const setup = async (isHit: Hit, onHit: () => void | Promise<void>, rows = 6) => {
  const service = opened();
  const first = nextBatch();
  const hits = { count: 0 };
  const line = await openLine({
    to: service.baseUrl,
    on: async (passing, moment) => {
      if (moment !== "arrived" || !isHit(passing)) return;
      hits.count += 1;
      if (hits.count === 1) await onHit();
    },
  });
  const sent = (): number[] => service.countsOf(numbersOf(rows, first));
  const [to = ""] = numbersOf(1, first);
  return { line, env: envFor(line), msg: atHome(), sent, to, stdin: rowsOf(rows, first) };
};

/** Something that a test waits for, and what makes it happen. */
const event = () => {
  let happen = (): void => undefined;
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happen, happened };
};

/** A line that holds the first request that is meant, until the test says that it is answered. */
const held = async (isHit: Hit, rows?: number) => {
  const arrived = event();
  const answered = event();
  const made = await setup(
    isHit,
    () => {
      arrived.happen();
      return answered.happened;
    },
    rows,
  );
  return { ...made, arrived, answered };
};

const staged = sending("--staged", "--chunk", "2", "--json");
const resume = ["send-many", "--resume", "last", "--json"];
const each = [1, 1, 1, 1, 1, 1];
const errorOf = (err: string): unknown => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;

test.each(Object.entries<Hit>(requestsOf))(
  "an owner that is stopped at its first %s is taken over; it stops when it wakes up, exit 7, and each row is sent once",
  async (_name, isHit) => {
    const stopped = event();
    const started: { child?: ChildProcessWithoutNullStreams } = {};
    const { line, env, msg, sent, stdin } = await setup(isHit, () => {
      started.child?.kill("SIGSTOP");
      stopped.happen();
    });
    const child = msg.start(staged, { stdin, env });
    started.child = child;
    const old = ended(child);
    await stopped.happened;
    const taken = await msg(resume, { env, ticks: () => haste * performance.now() });
    child.kill("SIGCONT");
    const woken = await old;
    await line.stop();
    expect({ code: taken.code, sent: sent() }, taken.err).toEqual({ code: 0, sent: each });
    expect(JSON.parse(taken.out)).toMatchObject({ state: "done", accepted: 6, unknown: 0 });
    expect(woken.code, woken.err).toBe(7);
    expect(errorOf(woken.err)).toMatchObject({ code: "LeaseLost", outcome: "unknown" });
    // What it got to know last is shown: nothing can be written down any more.
    expect(woken.err).toContain('{"run":');
    const shown = await msg(["run", "show", "last", "--json"], { env });
    expect(JSON.parse(shown.out)).toMatchObject({ state: "done", accepted: 6 });
  },
  60_000,
);

/** Two that send one key at once; `onWaiting` is called when the second says that it waits for the first. */
const sendTwice = async (
  onWaiting: (second: ChildProcessWithoutNullStreams, answer: () => void) => void,
) => {
  const { line, env, msg, sent, to, arrived, answered } = await held(
    ({ method }) => method === "POST",
    1,
  );
  const once = `send --to ${to} --from 0200000000 --text x --once order-${to} --json`.split(" ");
  const first = ended(msg.start(once, { env }));
  await arrived.happened;
  const second = msg.start(once, { env });
  second.stderr.on("data", (said) => {
    if (String(said).includes("waiting for it to finish")) onWaiting(second, answered.happen);
  });
  const two = await ended(second);
  answered.happen();
  const one = await first;
  await line.stop();
  return { one, two, codes: [one.code, two.code], sent: sent() };
};

test("of two that send the same --once key at once, the second waits for the first and prints its result", async () => {
  const { one, two, codes, sent } = await sendTwice((_second, answer) => answer());
  expect([codes, sent], two.err).toEqual([[0, 0], [1]]);
  expect(JSON.parse(two.out)).toEqual(JSON.parse(one.out));
}, 60_000);

test("Ctrl-C ends waiting for another that sends the same key: exit 130, and the first goes on", async () => {
  const { two, codes, sent } = await sendTwice((second) => second.kill("SIGINT"));
  expect([codes, sent], two.err).toEqual([[0, 130], [1]]);
}, 60_000);

const apart = ["-Urpf", "--mount-proc"];
/** Where no namespace can be made there are no containers either. */
const hasNamespaces = spawnSync("unshare", [...apart, "true"]).status === 0;

/** The same program in a namespace of ids of its own, as in a container that shares the folder. */
const contained = (
  { env, folder }: AtHome,
  args: readonly string[],
  more: Readonly<Record<string, string>>,
  stdin = "",
) => {
  const line = hasNamespaces ? ["unshare", ...apart] : [];
  const [command = "", ...words] = [...line, process.execPath, ...entry, ...args];
  const child = spawn(command, words, { env: { ...env, ...more }, cwd: folder });
  child.stdin.on("error", () => undefined).end(stdin);
  return child;
};

/** Kills it as the end of its container does. */
const killContained = (child: ChildProcessWithoutNullStreams): void => {
  const { pid = 0 } = child;
  if (!hasNamespaces) child.kill("SIGKILL");
  else process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")), "SIGKILL");
};

test("of two processes in containers of their own one works on a run, the other exits 7", async () => {
  const { line, env, msg, sent, stdin, arrived, answered } = await held(requestsOf.add);
  const first = ended(contained(msg, staged, env, stdin));
  await arrived.happened;
  const second = await ended(contained(msg, resume, env));
  answered.happen();
  const { code, err } = await first;
  await line.stop();
  expect(second.code, second.err).toBe(7);
  expect(errorOf(second.err)).toMatchObject({ code: "RunInUse" });
  expect({ code, sent: sent() }, err).toEqual({ code: 0, sent: each });
}, 60_000);

test("the run of a container that was killed is free when its lease has timed out; each row is sent once", async () => {
  const arrived = event();
  const { line, env, msg, sent, stdin } = await setup(requestsOf.send, arrived.happen);
  const first = contained(msg, staged, env, stdin);
  const killed = ended(first);
  await arrived.happened;
  killContained(first);
  expect((await killed).out).toBe("");
  const { code, err, out } = await ended(contained(msg, resume, { ...env, ...hurried }));
  await line.stop();
  expect({ code, sent: sent() }, err).toEqual({ code: 0, sent: each });
  expect(JSON.parse(out)).toMatchObject({ state: "done", accepted: 6 });
}, 60_000);
