/** Ctrl-C and SIGTERM while a send is under way: what was sent is told, and nothing is sent again. */
import { once } from "node:events";
import { spawn } from "@lydell/node-pty";
import { describe, expect, test } from "vitest";
import { ended, entry } from "../e2e/program.ts";
import { shell } from "../support/msg.ts";
import { readToEnd } from "../support/read-to-end.ts";
import { atHome } from "./at-home.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { type Harm, openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

interface Terminal {
  /** Types Ctrl-C, and waits until `msg` has taken notice. */
  readonly stop: () => Promise<void>;
  /** Types it until `msg` leaves: what comes right behind the first is the same one. */
  readonly insist: () => void;
}

const control = "\u0003";
const noticed = "stopping: waiting for the answer";

/** `msg` on a terminal over a line; `onWrite` is called when its first write has arrived, with the means. */
const setup = async (
  rows: number,
  onWrite: (terminal: Terminal) => void | Promise<void>,
  isHit = (method: string, _path: string): boolean => method === "POST",
  harm?: Harm,
) => {
  const it = opened();
  const first = nextBatch();
  const open: { type?: (keys: string) => void } = {};
  const seen = { screen: "" };
  const stop = async (): Promise<void> => {
    open.type?.(control);
    while (!seen.screen.includes(noticed)) await new Promise((done) => setTimeout(done, 5));
  };
  const pressing: { timer?: NodeJS.Timeout } = {};
  const insist = (): void => {
    pressing.timer = setInterval(() => open.type?.(control), 20);
  };
  const isFirst = { yet: true };
  const line = await openLine({
    to: it.baseUrl,
    harm: ({ method, path }) => (isHit(method, path) ? harm : undefined),
    on: async ({ method, path }, moment) => {
      if (moment !== "arrived" || !isHit(method, path) || !isFirst.yet) return;
      isFirst.yet = false;
      await onWrite({ stop, insist });
    },
  });
  const msg = atHome();
  const env = { ...msg.env, ...envFor(line), TERM: "xterm" };
  const onTerminal = (words: readonly string[]) =>
    new Promise<{ code: number; screen: string }>((resolve) => {
      const size = { cols: 200, rows: 40 };
      const terminal = readToEnd(spawn(process.execPath, [...entry, ...words], { ...size, env }));
      open.type = (keys) => terminal.write(keys);
      terminal.onData((chunk) => {
        seen.screen += chunk;
      });
      terminal.onExit(({ exitCode }) => {
        clearInterval(pressing.timer);
        resolve({ code: exitCode, screen: seen.screen });
      });
    });
  const sent = (): number[] => it.countsOf(numbersOf(rows, first));
  const [to = ""] = numbersOf(1, first);
  return { line, msg, env: envFor(line), onTerminal, sent, to, stdin: rowsOf(rows, first) };
};

const sendTo = (to: string, ...more: readonly string[]): readonly string[] => [
  ...["send", "--to", to, "--from", "0200000000", "--text", "x", "--yes"],
  ...more,
];

describe("P05 Ctrl-C during msg send", () => {
  test.each([[[]], [["--once", "key-1"]], [["--json"]]])(
    "%j: the answer is waited for, the message is shown as accepted, exit 130",
    async (flags) => {
      const isSend = (method: string, path: string) => method === "POST" && path.endsWith("/send");
      const { onTerminal, line, sent, to } = await setup(1, ({ stop }) => stop(), isSend);
      const { code, screen } = await onTerminal(sendTo(to, ...flags));
      await line.stop();
      expect({ code, sent: sent() }, screen).toEqual({ code: 130, sent: [1] });
      expect(screen).toMatch(/M4V\w+/);
      expect(screen).toContain("nothing is left to do; do not run it again");
    },
  );

  test("the answer is lost: exit 130, and it is said that it may have been sent", async () => {
    const { onTerminal, line, sent, to } = await setup(
      1,
      ({ stop }) => stop(),
      undefined,
      "dropAfter",
    );
    const { code, screen } = await onTerminal(sendTo(to));
    await line.stop();
    expect({ code, sent: sent() }, screen).toEqual({ code: 130, sent: [1] });
    expect(screen).toMatch(/may or may not have been executed/);
    expect(screen).toMatch(/do not run it again before you have checked/);
    expect(line.requests.filter((it) => it.method === "POST")).toHaveLength(1);
  });

  test("a second Ctrl-C leaves at once, without the answer", async () => {
    const held: { go?: () => void } = {};
    const { onTerminal, line, to } = await setup(1, async ({ stop, insist }) => {
      await stop();
      insist();
      await new Promise<void>((go) => {
        held.go = go;
      });
    });
    const { code } = await onTerminal(sendTo(to));
    held.go?.();
    await line.stop();
    expect(code).toBe(130);
  });
});

test("P06 SIGTERM during msg send: the answer is waited for and shown, exit 130", async () => {
  const hit: { kill?: () => Promise<unknown> } = {};
  const { line, msg, env, sent, to } = await setup(1, async () => void (await hit.kill?.()));
  const child = msg.start(sendTo(to, "--json"), { env });
  hit.kill = () => {
    child.kill("SIGTERM");
    return once(child.stderr, "data");
  };
  const { code, out, err } = await ended(child);
  await line.stop();
  expect({ code, sent: sent() }, err).toEqual({ code: 130, sent: [1] });
  expect(JSON.parse(out)).toMatchObject({ to });
  const [notice = "", error = ""] = err.split("\n");
  expect(notice).toContain(noticed);
  expect(JSON.parse(error)).toMatchObject({ error: { code: "Interrupted", outcome: "done" } });
});

test("P05 a send that is not answered within ten seconds of Ctrl-C is broken off: exit 130, unknown", async () => {
  const stop = new AbortController();
  const { line, env, to } = await setup(1, async () => {
    stop.abort();
    await new Promise(() => undefined);
  });
  const waits: number[] = [];
  const at = shell({
    env,
    signal: stop.signal,
    wait: async (ms) => void waits.push(ms),
  });
  const { code, err } = await at(sendTo(to, "--json"));
  await line.stop();
  expect({ code, waits }, err).toEqual({ code: 130, waits: [10_000] });
  const error: unknown = JSON.parse(err.trim().split("\n").at(-1) ?? "");
  expect(error).toMatchObject({ error: { code: "Interrupted", outcome: "unknown" } });
});

describe("P05 Ctrl-C on the terminal of a run", () => {
  const staged = ["--staged", "--chunk", "2", "--yes"];
  const isSend = (_: string, path: string): boolean => path.endsWith("/send");

  test("during the last send of a group: the run is over, and says that nothing is left to do", async () => {
    const { onTerminal, line, msg, env, sent, stdin } = await setup(
      4,
      ({ stop }) => stop(),
      isSend,
    );
    const file = await fileOf(msg.folder, stdin);
    const { code, screen } = await onTerminal(
      sending(...staged).map((word) => (word === "-" ? file : word)),
    );
    expect({ code, sent: sent() }, screen).toEqual({ code: 130, sent: [1, 1, 1, 1] });
    expect(screen).toContain("the run is over: nothing is left to do");
    const shown = await msg(["run", "show", "last", "--json"], { env });
    await line.stop();
    expect(JSON.parse(shown.out)).toMatchObject({ state: "done", accepted: 4, unknown: 0 });
  });

  test("a second Ctrl-C during it leaves at once; --resume sends each row once", async () => {
    const held: { go?: () => void } = {};
    const { onTerminal, line, msg, env, sent, stdin } = await setup(
      4,
      async ({ stop, insist }) => {
        await stop();
        insist();
        await new Promise<void>((go) => {
          held.go = go;
        });
      },
      isSend,
    );
    const file = await fileOf(msg.folder, stdin);
    const { code } = await onTerminal(
      sending(...staged).map((word) => (word === "-" ? file : word)),
    );
    held.go?.();
    expect(code).toBe(130);
    const resumed = await msg(["send-many", "--resume", "last"], { env });
    await line.stop();
    expect({ code: resumed.code, sent: sent() }, resumed.err).toEqual({
      code: 0,
      sent: [1, 1, 1, 1],
    });
  });
});

const fileOf = async (folder: string, text: string): Promise<string> => {
  const { writeFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const path = join(folder, "rows.csv");
  writeFileSync(path, text);
  return path;
};
