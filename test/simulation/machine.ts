/** A machine with a clock and a disk of its own, and the processes of `msg` that run on it. */
import { Readable } from "node:stream";
import type { Io } from "../../src/app/process.ts";
import type { Send } from "../../src/contract/wire.ts";
import { main } from "../../src/main.ts";
import type { Passing } from "../faults/line.ts";
import { isOf, type Kind } from "../faults/strangers.ts";
import { type Sink, sink } from "../output/sink.ts";
import { envOf } from "../support/signer.ts";
import type { Dice } from "./dice.ts";
import { type Disk, type ProcessView, user } from "./disk.ts";
import type { Schedule } from "./schedule.ts";

export type Effect = "change" | "request" | "answer";

/** Some processes end before their time, stand still, or are asked to end: at one of their effects. */
export interface Fate {
  readonly on: Effect;
  /** Only requests and answers of this kind are counted. */
  readonly of?: Kind | undefined;
  /** Only syncs of a journal are counted: what was written is not, or not all, on the disk by then. */
  readonly isAppend?: boolean;
  readonly at: number;
  readonly is: "kill" | "pause" | "interrupt";
  readonly pauseMs: number;
}

export interface Ended {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Clock {
  /** How far the machine's clock is ahead of true time. */
  offsetMs: number;
  /** How much faster than true time it goes. */
  readonly drift: number;
}

export interface Machine {
  readonly name: string;
  readonly clock: Clock;
  readonly disk: Disk;
}

export interface World {
  readonly schedule: Schedule;
  /** True time when the world began. */
  readonly beganMs: number;
  readonly note: (line: string) => void;
}

/** What lets the outside in: nothing of it reaches a process that is gone, and later one that stands still. */
export interface Gate {
  readonly isGone: () => boolean;
  /** Counts an effect, and lets the process meet its fate there. False where it is gone. */
  readonly reach: (effect: Effect, what: string, passing?: Passing) => boolean;
  /** Lets something happen inside the process, when it runs. */
  readonly enter: (action: () => void) => void;
}

export interface Launch {
  readonly machine: Machine;
  readonly pid: number;
  readonly boot: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | Uint8Array;
  readonly dice: Dice;
  readonly fate: Fate | undefined;
  readonly lineFor: (gate: Gate) => Send;
  readonly isRunning: (pid: number) => boolean;
}

/** Runs a command line to its end, or to that of its process. */
export const launch = async (world: World, it: Launch): Promise<Ended> => {
  const { schedule, note } = world;
  const { machine, fate } = it;
  const stop = new AbortController();
  const timers = new Set<() => void>();
  const killed: { resolve: () => void } = { resolve: () => undefined };
  const dies = new Promise<"killed">((done) => {
    killed.resolve = () => done("killed");
  });
  const gate = gateOf(world, it, {
    kill: () => {
      for (const end of timers) end();
      killed.resolve();
    },
    interrupt: () => stop.abort(),
  });
  const out = sink();
  const err = sink();
  const io = ioOf(world, it, { gate, timers, signal: stop.signal, out, err });
  note(
    `${machine.name} starts ${it.argv.join(" ")}${fate ? ` (${fate.is} at ${fate.on} ${fate.of ?? ""} ${fate.at})` : ""}`,
  );
  const code = await Promise.race([main(io), dies]);
  for (const end of timers) end();
  if (code === "killed") return { code: null, out: "", err: "" };
  note(`${machine.name} exit ${code}`);
  await schedule.sleep(0);
  return { code, out: out.text(), err: err.text() };
};

const gateOf = (
  { schedule, note }: World,
  { machine, fate }: Launch,
  on: { readonly kill: () => void; readonly interrupt: () => void },
): Gate => {
  const state = { count: 0, isGone: false, isPaused: false };
  const waiting: (() => void)[] = [];
  const meet = ({ is, pauseMs }: Fate, what: string): void => {
    note(`${machine.name} ${is} at ${what}${is === "pause" ? ` for ${pauseMs} ms` : ""}`);
    if (is === "interrupt") on.interrupt();
    if (is === "kill") {
      state.isGone = true;
      on.kill();
    }
    if (is !== "pause") return;
    state.isPaused = true;
    schedule.after(pauseMs, () => {
      state.isPaused = false;
      for (const action of waiting.splice(0)) if (!state.isGone) action();
    });
  };
  return {
    isGone: () => state.isGone,
    reach: (effect, what, passing) => {
      if (state.isGone) return false;
      if (fate?.on !== effect || !isOfKind(fate, passing)) return true;
      if (fate.isAppend && !/^sync .*journal\.log$/.test(what)) return true;
      state.count += 1;
      if (fate.at === state.count) meet(fate, what);
      return !state.isGone;
    },
    enter: (action) => {
      if (state.isGone) return;
      if (state.isPaused) waiting.push(action);
      else action();
    },
  };
};

const isOfKind = ({ of }: Fate, passing: Passing | undefined): boolean =>
  of === undefined || (passing !== undefined && isOf(of, passing));

interface Surroundings {
  readonly gate: Gate;
  readonly timers: Set<() => void>;
  readonly signal: AbortSignal;
  readonly out: Sink;
  readonly err: Sink;
}

const ioOf = (world: World, it: Launch, around: Surroundings): Io => {
  const { schedule, beganMs } = world;
  const { machine, pid, dice } = it;
  const { gate, timers, signal, out, err } = around;
  const { clock } = machine;
  const ticks = (): number => schedule.now() * (1 + clock.drift);
  const nowMs = (): number => beganMs + ticks() + clock.offsetMs;
  const trueMs = (ms: number): number => ms / (1 + clock.drift);
  const view: ProcessView = {
    onChange: (what) => {
      if (!gate.reach("change", what)) throw new Error("this process is gone");
    },
    now: nowMs,
    system: systemOf(it),
  };
  const every = (ms: number, action: () => void): (() => void) => {
    const beat = { end: (): void => undefined };
    const next = (): void => {
      beat.end = schedule.after(trueMs(ms), () =>
        gate.enter(() => {
          next();
          action();
        }),
      );
    };
    next();
    const end = (): void => beat.end();
    timers.add(end);
    return end;
  };
  const line = it.lineFor(gate);
  return {
    argv: it.argv,
    env: it.env,
    versions: process.versions,
    stdin: () => Readable.from([Buffer.from(it.stdin)]),
    stdinIsTTY: false,
    user: { pid, kill: (other) => kill(it, other), every, uid: user },
    files: machine.disk.filesFor(view),
    network: () => ({ send: line, close: async () => undefined }),
    stdout: out.stream,
    stderr: err.stream,
    now: () => new Date(nowMs()),
    ticks,
    random: (size) => dice.bytes(size),
    wait: (ms, stop) => waiting(schedule, gate, trueMs(ms), stop),
    signal,
  };
};

export const environment = {
  HOME: "/u",
  MSG_CONFIG_DIR: "/u/config",
  MSG_STATE_DIR: "/u/state",
  MSG_TZ: "Asia/Seoul",
  ...envOf("https://service.test"),
};

const kill = ({ isRunning }: Launch, pid: number): void => {
  if (!isRunning(pid)) throw Object.assign(new Error("ESRCH"), { code: "ESRCH" });
};

const systemOf =
  ({ pid, boot }: Launch): ProcessView["system"] =>
  (path) => {
    if (path === "/proc/sys/kernel/random/boot_id") return boot;
    if (path === "/proc/self") return String(pid);
    if (path === "/proc/self/ns/pid") return "pid:[4026531836]";
    const stat = /^\/proc\/(\d+)\/stat$/.exec(path)?.[1];
    return stat === undefined ? undefined : `${stat} (node) S ${"0 ".repeat(18)}${stat} 0`;
  };

const waiting = (
  schedule: Schedule,
  gate: Gate,
  ms: number,
  stop: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(Object.assign(new Error("stopped"), { name: "AbortError" }));
    if (stop?.aborted) return abort();
    const end = schedule.after(ms, () => gate.enter(resolve));
    stop?.addEventListener(
      "abort",
      () => {
        end();
        abort();
      },
      { once: true },
    );
  });
