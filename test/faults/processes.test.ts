/** Signals, two processes at once, foreign hands on a group, and a service that does not keep its word. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ended, type Program } from "../e2e/program.ts";
import { atHome } from "./at-home.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type LineOptions, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

const setup = async (rows: number, options: Omit<LineOptions, "to"> = {}) => {
  const it = opened();
  const first = nextBatch();
  const line = await openLine({ to: it.baseUrl, ...options });
  const sent = (): number[] => {
    const books = it.books();
    return numbersOf(rows, first).map((to) => books.get(to) ?? 0);
  };
  return { it, line, env: envFor(line), stdin: rowsOf(rows, first), sent, msg: atHome() };
};

const isSend = ({ path }: Passing): boolean => path.endsWith("/send");
const errorOf = (err: string): unknown => JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error;
const staged = sending("--staged", "--chunk", "2", "--json");

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "P05 P06 %s in the middle of an add: it is finished, exit 130, and --resume sends each row once",
  async (signal) => {
    const hit: { child?: ReturnType<Program["start"]> | undefined } = {};
    const { line, env, stdin, sent, msg } = await setup(4, {
      on: ({ path, method }, moment) => {
        if (method !== "PUT" || !path.endsWith("/messages") || moment !== "arrived") return;
        // Two adds are under way at once; a second signal would end the process on the spot.
        hit.child?.kill(signal);
        hit.child = undefined;
      },
    });
    const child = msg.start(staged, { stdin, env });
    hit.child = child;
    const stopped = await ended(child);
    expect(stopped.code, stopped.err).toBe(130);
    expect(errorOf(stopped.err)).toMatchObject({ code: "Interrupted", outcome: "not_sent" });
    expect(stopped.err).toContain("--resume");
    expect(sent()).toEqual([0, 0, 0, 0]);
    const resumed = await msg(["send-many", "--resume", "last"], { env });
    await line.stop();
    expect({ code: resumed.code, sent: sent() }).toEqual({ code: 0, sent: [1, 1, 1, 1] });
  },
);

test.each(["SIGINT", "SIGTERM"] as const)(
  "P05 P06 %s that comes twice at once, as from timeout, is one: what is under way is finished",
  async (signal) => {
    const hit: { child?: ReturnType<Program["start"]> | undefined } = {};
    const { line, env, stdin, sent, msg } = await setup(4, {
      on: async ({ path, method }, moment) => {
        const { child } = hit;
        if (!child || method !== "PUT" || !path.endsWith("/messages") || moment !== "arrived")
          return;
        hit.child = undefined;
        const told = new Promise((resolve) => child.stderr?.once("data", resolve));
        child.kill(signal);
        child.kill(signal);
        await told;
      },
    });
    const child = msg.start(staged, { stdin, env });
    hit.child = child;
    const stopped = await ended(child);
    await line.stop();
    expect(errorOf(stopped.err), stopped.err).toMatchObject({ code: "Interrupted" });
    expect([stopped.code, sent()]).toEqual([130, [0, 0, 0, 0]]);
  },
);

test("P05 Ctrl-C twice leaves at once and says where to look; --resume sends each row once", async () => {
  const hit: { child?: ReturnType<Program["start"]> | undefined } = {};
  const { line, env, stdin, sent, msg } = await setup(4, {
    on: async ({ path, method }, moment) => {
      const { child } = hit;
      if (!child || method !== "PUT" || !path.endsWith("/messages") || moment !== "arrived") return;
      hit.child = undefined;
      const told = new Promise((resolve) => child.stderr?.once("data", resolve));
      child.kill("SIGINT");
      await told;
      // What comes right behind the first is the same one: a person presses until it leaves.
      const pressing = setInterval(() => child.kill("SIGINT"), 20);
      await ended(child);
      clearInterval(pressing);
    },
  });
  const child = msg.start(staged, { stdin, env });
  hit.child = child;
  const stopped = await ended(child);
  expect({ code: stopped.code, out: stopped.out }).toEqual({ code: 130, out: "" });
  expect(stopped.err).toContain("msg run list shows the open runs");
  const resumed = await msg(["send-many", "--resume", "last"], { env });
  await line.stop();
  expect({ code: resumed.code, sent: sent() }).toEqual({ code: 0, sent: [1, 1, 1, 1] });
});

test("P08 two send-many of one file at once: one runs, the other exits 7 and names it", async () => {
  const { line, env, stdin, sent, msg } = await setup(4);
  const begin = () => ended(msg.start(staged, { stdin, env }));
  const both = await Promise.all([begin(), begin()]);
  await line.stop();
  expect(both.map((it) => it.code).sort()).toEqual([0, 7]);
  expect(both.find((it) => it.code === 7)?.err).toContain("the same rows are in run");
  expect(sent()).toEqual([1, 1, 1, 1]);
});

test("P08 four who send one plan at once: one does, the others exit 7 and say so", async () => {
  const { line, env, stdin, sent, msg } = await setup(4);
  const file = join(msg.folder, "list.msgplan");
  const planned = await msg([...sending(), "--plan-out", file], { stdin, env });
  expect(planned.code, planned.err).toBe(0);
  const begin = () => ended(msg.start(["send-many", "--plan", file, "-y", "--json"], { env }));
  const all = await Promise.all([begin(), begin(), begin(), begin()]);
  await line.stop();
  const codes = all.map(({ code, err }) => `${code} ${/"code":"\w+"/.exec(err)?.[0] ?? ""}`);
  for (const code of codes) expect(code).toMatch(/^(0 |7 "code":"(PlanSent|RunInUse)")$/);
  expect(codes.filter((code) => code === "0 ")).toHaveLength(1);
  expect(sent()).toEqual([1, 1, 1, 1]);
});

test("P08 two resumes of one run at once: each row once; P09 the lock of a dead process is taken over", async () => {
  const kill: { at?: (() => void) | undefined } = {};
  const { line, env, stdin, sent, msg } = await setup(4, {
    on: (passing) => {
      if (isSend(passing)) kill.at?.();
    },
  });
  const child = msg.start(staged, { stdin, env });
  kill.at = () => child.kill("SIGKILL");
  expect((await ended(child)).code).toBeNull();
  kill.at = undefined;
  const resume = ["send-many", "--resume", "last"];
  const begin = () => ended(msg.start(resume, { env }));
  const both = await Promise.all([begin(), begin()]);
  await line.stop();
  expect(both.map((it) => it.code).every((code) => code === 0 || code === 7)).toBe(true);
  expect(both.some((it) => it.code === 0)).toBe(true);
  expect(sent()).toEqual([1, 1, 1, 1]);
});

test("S11 another client deletes the group between verify and send: exit 10, nothing is rebuilt", async () => {
  const seen: { path?: string } = {};
  const { it, line, env, stdin, sent, msg } = await setup(2, {
    on: async (passing, moment) => {
      if (!isSend(passing) || moment !== "arrived" || seen.path) return;
      seen.path = passing.path.replace(/\/send$/, "");
      const path = seen.path;
      await deleteGroup(it.baseUrl, path);
    },
  });
  const { code, err } = await msg(staged, { stdin, env });
  await line.stop();
  expect(code, err).toBe(10);
  expect(line.requests.filter(isCreate)).toHaveLength(1);
  expect(sent()).toEqual([0, 0]);
});

test("S09 another client spends the balance between verify and send: exit 10, nothing sent; charged, --resume last ends with 0", async () => {
  const spent = { yet: false };
  const { it, line, env, stdin, sent, msg } = await setup(2, {
    on: async (passing, moment) => {
      if (!isSend(passing) || moment !== "arrived" || spent.yet) return;
      spent.yet = true;
      await setBalance(it.baseUrl, 0);
    },
  });
  const poor = await msg(staged, { stdin, env });
  expect(poor.code, poor.err).toBe(10);
  expect(errorOf(poor.err)).toMatchObject({ code: "NotEnoughBalance", outcome: "not_sent" });
  expect(JSON.parse(poor.out)).toMatchObject({ accepted: 0, notSent: 2, unknown: 0 });
  expect(sent()).toEqual([0, 0]);
  await setBalance(it.baseUrl, 1_000_000);
  const charged = await msg(["send-many", "--resume", "last", "--json"], { env });
  await line.stop();
  expect({ code: charged.code, sent: sent() }, charged.err).toEqual({ code: 0, sent: [1, 1] });
});

const setBalance = async (baseUrl: string, balance: number): Promise<void> => {
  const answer = await fetch(`${baseUrl}/_sandbox/settings`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ balance, point: 0 }),
  });
  expect(answer.status).toBe(200);
};

const isCreate = ({ method, path }: Passing): boolean =>
  method === "POST" && path === "/messages/v4/groups";

const deleteGroup = async (baseUrl: string, path: string): Promise<void> => {
  const { authorization } = await import("../support/signer.ts");
  const headers = { authorization: authorization() };
  const answer = await fetch(`${baseUrl}${path}`, { method: "DELETE", headers });
  expect(answer.status).toBe(200);
};

test("S12 the service counts another number of rows than were added: the group is given up, each row once", async () => {
  const done = { count: 0 };
  const { line, env, stdin, sent, msg } = await setup(2, {
    harm: ({ method, path }) => {
      if (method !== "GET" || !path.includes("/groups/") || done.count > 0) return undefined;
      done.count += 1;
      return "miscount";
    },
  });
  const { code, err } = await msg(staged, { stdin, env });
  await line.stop();
  expect({ code, sent: sent() }, err).toEqual({ code: 0, sent: [1, 1] });
  expect(line.requests.filter(isCreate)).toHaveLength(2);
});

test("S10 some rows are refused: exit 3, the counts are the service's, and they are named by row", async () => {
  const { line, env, msg } = await setup(1);
  const stdin = "to,from\n01051234567,0200000000\n01051234568,0299999999\n01051234569,0200000000\n";
  for (const flags of [[], ["--staged"]]) {
    const { code, out, err } = await msg(sending(...flags, "--json", "--again"), { stdin, env });
    expect(code, err).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ accepted: 2, refused: 1, unknown: 0 });
    expect(errorOf(err)).toMatchObject({ details: [{ code: "1062", row: 2 }] });
  }
  await line.stop();
});

test("I07 standard input that ends too early is refused before anything is sent", async () => {
  const { line, env, msg } = await setup(1);
  const { code } = await msg(sending(), { stdin: 'to,name\n01050000001,"unfinished', env });
  await line.stop();
  expect(code).toBe(2);
  expect(line.requests).toEqual([]);
});

test("D06 a state folder that is a file is exit 2, before anything is sent", async () => {
  const { line, env, stdin, sent, msg } = await setup(2);
  const file = join(msg.folder, "file");
  writeFileSync(file, "");
  const nowhere = await msg(sending(), { stdin, env: { ...env, MSG_STATE_DIR: file } });
  expect(nowhere.code).toBe(2);
  expect(sent()).toEqual([0, 0]);
  const { code } = await msg(sending("--json"), { stdin, env });
  await line.stop();
  expect({ code, sent: sent() }).toEqual({ code: 0, sent: [1, 1] });
});
