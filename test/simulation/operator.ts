/** Who sits before each machine: starts a command, and goes on as it says until it has ended well. */

import { isOf } from "../faults/strangers.ts";
import { isCancelled, watchCancelled, wordsToCancel } from "./cancelling.ts";
import { diceFor } from "./dice.ts";
import { type Copy, createDisk, type Disk } from "./disk.ts";
import { checkExports } from "./exports.ts";
import type { Outage } from "./harms.ts";
import { errorOf, falseClaims } from "./judge.ts";
import { type Line, type Service, sendOver } from "./line.ts";
import {
  type Ended,
  environment,
  type Launch,
  launch,
  type Machine,
  type World,
} from "./machine.ts";
import { byHand, isOver } from "./person.ts";
import { listOf, makePlan, sendFailing, wordsOfPlan } from "./plan.ts";
import { hourOf, type Scenario } from "./scenario.ts";
import { tokenUntil } from "./tokens.ts";
import type { DiskFate } from "./ways.ts";
import { cannotRebuild, firstWords, goingOn, isSending, listWords, nextWords } from "./words.ts";

export interface Stage {
  readonly world: World;
  readonly scenario: Scenario;
  readonly service: Service;
  /** The service with nothing before it. */
  readonly plain: Service["perform"];
  readonly numbers: readonly string[];
  readonly heard: Line["heard"];
  /** How often each row was sent. */
  readonly sent: () => number[];
  /** How often a person has done something, and when the groups were made that a person sent although their rows were out. */
  readonly byHand: { count: number; readonly resent: Set<number> };
  /** How many processes there are. */
  readonly running: { count: number };
  /** What some machines send in place of the list; undefined before it is made. */
  readonly plan: { bytes: Uint8Array | undefined };
  /** The run whose rows are sent once more, and when it had ended; nothing of before counts. */
  readonly retried: { run: string; endedMs: number };
  /** Whether a row went out more than once. */
  readonly twice: () => boolean;
  readonly complain: (what: string) => void;
}

/** So many processes end a loop at the latest when nothing is harmed any more. */
const enough = 16;

export const operate = async (stage: Stage): Promise<void> => {
  const { scenario } = stage;
  const shared = scenario.way.machines === "one disk" ? createDisk() : undefined;
  const disks = scenario.machines.map(() => shared ?? createDisk());
  const before = scenario.way.isRetry ? await sendFailing(stage) : undefined;
  if (before) for (const disk of disks) disk.putBack(before);
  const posts = scenario.machines.map((name, at) => postOf(stage, name, at, disks));
  if (scenario.planned.length > 0) await makePlan(stage, listWords(stage, 0));
  await Promise.all([...posts.map((post) => loop(stage, post)), byHand(stage)]);
  const { schedule } = stage.world;
  await schedule.sleep(Math.max(0, scenario.harmEndsMs - schedule.now()) + 1);
  for (const { machine, line } of posts) await checkExports(stage, machine, line);
};

/** What one operator works with. */
type Post = ReturnType<typeof postOf>;

const postOf = (stage: Stage, name: string, at: number, disks: readonly Disk[]) => {
  const disk = disks[at] ?? createDisk();
  const state: LoopState = {
    ...{ name, at, launches: 0, harmless: 0, words: firstWords(stage, at) },
    ...{ visits: 0, boot: 0, copies: [], backup: undefined },
    others: disks.filter((it) => it !== disk),
  };
  return { disk, state, machine: machineOf(stage, name, disk), line: lineOf(stage, state, disk) };
};

const loop = async (stage: Stage, { disk, state, machine, line }: Post): Promise<void> => {
  const { scenario, world } = stage;
  const { schedule } = world;
  const { name } = state;
  const dice = diceFor(scenario.seed, "operator", name);
  const beginMs = dice.chance(0.5) ? dice.between(0, 2_000) : dice.span(2_000, 7_200_000);
  await schedule.sleep(scenario.plot?.beginsMs?.(name) ?? beginMs);
  for (;;) {
    state.launches += 1;
    const isHarmed = state.launches <= scenario.harmedLaunches && !isOver(stage);
    if (isOver(stage)) state.harmless += 1;
    const ended = await launched(stage, state, machine, line, isHarmed);
    if (isCancelled(stage, state, ended)) return watchCancelled(stage, ended);
    const isSame = dice.chance(0.5);
    const isLost = errorOf(ended).code === cannotRebuild;
    // What is left of it says nothing: where others know what was sent, the folder is taken away.
    if (isLost && !scenario.way.diskFates.includes("lost")) return;
    const next = wordsToCancel(stage, state, ended) ?? nextWords(stage, state, ended, isSame);
    if (next === undefined) return;
    if (state.harmless > enough) return stage.complain(`${name} finds no end`);
    state.words = next;
    if (isLost) disk.lose();
    if (dice.chance(0.3)) state.copies.push(disk.copy());
    if (isHarmed) meetFate(stage, state, disk, ended);
    await schedule.sleep(dice.span(500, dice.chance(0.2) ? 90_000_000 : 1_200_000));
    if (isOver(stage)) await schedule.sleep(leftUntilTold(stage, ended));
    if (ended.code === 0) await schedule.sleep(leftUntilHour(stage, state));
    await comeBack(stage, state, disk, ended);
    if (scenario.exportsBehind(name, state.launches)) await checkExports(stage, machine, line);
    // Who does not come through goes on when all is well again.
    if (state.launches >= scenario.harmedLaunches + 2 && !isOver(stage))
      await schedule.sleep(scenario.harmEndsMs - schedule.now() + 1);
    if (isAnotherSending(stage, state)) return;
  }
};

/** Until the time from which on it can be done, as the hint says: days, where a clock was ahead for days. */
const leftUntilTold = ({ world }: Stage, ended: Ended): number => {
  const { code, hint } = errorOf(ended);
  const [, told = ""] = /after (\S+Z)/.exec(hint) ?? [];
  if (code === "QuotaTooSmall") return 60 * 60_000;
  return code === "TooEarly" ? Date.parse(told) - world.beganMs - world.schedule.now() : 0;
};

/** The second look is behind the hour, at which a group may fail as a whole. */
const leftUntilHour = ({ scenario, world }: Stage, { visits }: LoopState): number =>
  scenario.shortHour && visits === 2
    ? Math.max(0, scenario.hourMs - world.schedule.now() + 1_000)
    : 0;

/** Where the disk alone knows what was sent, or a run is gone on with for days, the same list is a new one behind a day. */
const isAnotherSending = ({ scenario, world, sent }: Stage, { words }: LoopState): boolean =>
  (scenario.way.command.includes("--direct") || scenario.plot?.restores !== undefined) &&
  isSending(words) &&
  !words.includes("--resume") &&
  world.schedule.now() > 23 * 60 * 60_000 &&
  sent().some((count) => count > 0);

export interface LoopState {
  readonly name: string;
  readonly at: number;
  launches: number;
  harmless: number;
  words: readonly string[];
  /** How often one came back to what was scheduled. */
  visits: number;
  /** How often the machine was started. */
  boot: number;
  readonly copies: Copy[];
  /** The disk as it was at the moment of the plot. */
  backup: Copy | undefined;
  /** Disks of the other machines. */
  readonly others: readonly Disk[];
}

/** One process from its start to its end, and whether what it says is true. */
const launched = async (
  stage: Stage,
  { name, at, launches, words, boot }: LoopState,
  machine: Machine,
  line: Line,
  isHarmed: boolean,
): Promise<Ended> => {
  const { scenario, world } = stage;
  const before = stage.sent();
  const acts = stage.byHand.count;
  const fate = isHarmed ? scenario.fateOf(name, launches) : undefined;
  machine.disk.room = isHarmed ? scenario.roomOf(name, launches) : undefined;
  machine.disk.failsSync = isHarmed ? scenario.failsSyncOf(name, launches) : undefined;
  machine.disk.failsChange = isHarmed ? scenario.failsChangeOf(name, launches) : undefined;
  stage.running.count += 1;
  const ended = await launch(world, {
    machine,
    pid: 100 * (at + 1) + launches,
    boot: `boot ${boot} of ${name}`,
    argv: words,
    env: environmentOf(stage),
    stdin:
      words === wordsOfPlan
        ? (stage.plan.bytes ?? "")
        : listOf(stage, scenario.turns?.(name, launches)),
    dice: diceFor(scenario.seed, "random", name, launches),
    fate,
    lineFor: (gate) => sendOver(world, stage.service, line, gate),
    isRunning: (pid) => pid === 100 * (at + 1) + launches,
  });
  stage.running.count -= 1;
  machine.disk.room = undefined;
  machine.disk.failsSync = undefined;
  machine.disk.failsChange = undefined;
  if (ended.code === null) return ended;
  world.note(`${name} said ${ended.out.replace(/\s+/g, " ")} ${ended.err.trim()}`);
  const isTouched = stage.byHand.count !== acts;
  const isNew = !words.includes("--resume");
  const claim = { ended, at, before, fate, isTouched, isSending: isSending(words), isNew };
  for (const wrong of falseClaims(stage, claim)) stage.complain(`${name}: ${wrong}`);
  return ended;
};

/** Whoever works with a token starts each process with one of its own. */
const environmentOf = ({ scenario: { tokenMs }, world }: Stage): Launch["env"] => {
  if (tokenMs === undefined) return environment;
  const token = tokenUntil(world.beganMs + world.schedule.now() + tokenMs);
  return { ...environment, MSG_API_KEY: "", MSG_API_SECRET: "", MSG_ACCESS_TOKEN: token };
};

/** The plot's copy of the disk takes the place of what is there, a while later. */
const comeBack = async (
  { scenario, world }: Stage,
  state: LoopState,
  disk: Disk,
  { code }: Ended,
): Promise<void> => {
  const { restores } = scenario.plot ?? {};
  if (!restores || code !== null || !state.backup || state.launches > 1) return;
  await world.schedule.sleep(restores.afterMs);
  world.note(`${state.name} disk put back`);
  disk.putBack(state.backup);
  state.words = goingOn;
};

const machineOf = (stage: Stage, name: string, disk: Disk): Machine => {
  const { scenario, world } = stage;
  const { offsetMs, drift, steps } = scenario.clockOf(name);
  const clock = { offsetMs, drift };
  for (const { atMs, byMs } of steps)
    world.schedule.after(atMs, () => {
      if (isOver(stage)) return;
      clock.offsetMs += byMs;
      world.note(`${name} clock ${byMs} ms`);
    });
  // A clock that stays wrong is for its owner to set.
  world.schedule.after(scenario.harmEndsMs, () => {
    clock.offsetMs = 0;
  });
  return { name, clock, disk };
};

const isIn = ({ line, fromMs, toMs }: Outage, name: string, atMs: number): boolean =>
  (line ?? name) === name && atMs >= fromMs && atMs < toMs;

const lineOf = (stage: Stage, state: LoopState, disk: Disk): Line => {
  const { scenario, world, heard } = stage;
  const { way, plot } = scenario;
  const { name } = state;
  const lie = scenario.falseDate(name);
  const now = world.schedule.now;
  return {
    name,
    heard,
    counts: new Map(),
    count: 0,
    harmFor: (passing, nth) => {
      const { of, at } = plot?.restores ?? {};
      if (of !== undefined && isOf(of, passing) && nth === at) state.backup = disk.copy();
      if (isOver(stage)) return undefined;
      const outage = scenario.outages.find((it) => isIn(it, name, now()));
      return outage?.harm ?? scenario.harmFor(name, passing, nth);
    },
    delayFor: (number) => diceFor(scenario.seed, "delay", name, number),
    onAsked: ({ method, path }) => {
      const isLate = now() > hourOf(scenario, state.at) && way.isLater;
      if (isLate && method === "POST" && path.endsWith("/schedule"))
        stage.complain(`${name} schedules behind the hour`);
    },
    falseDateMs: () =>
      lie && !isOver(stage) && now() >= lie.fromMs && now() < lie.toMs ? lie.byMs : 0,
  };
};

const meetFate = (stage: Stage, state: LoopState, disk: Disk, { code }: Ended): void => {
  const { scenario, world } = stage;
  const { name, launches, copies } = state;
  const fate: DiskFate = scenario.diskFateOf(name, launches);
  const dice = diceFor(scenario.seed, "disk dice", name, launches);
  // A container that is gone comes back as another one.
  if (code === null && dice.chance(0.5)) state.boot += 1;
  if (fate === "kept" || (fate === "power cut" && code !== null)) return;
  // Others that have it open would write to files that are not there.
  const isInUse = scenario.way.machines === "one disk" && stage.running.count > 0;
  if (fate === "power cut" && isInUse) return;
  world.note(`${name} disk ${fate}`);
  if (fate === "power cut") {
    state.boot += 1;
    disk.cutPower(dice);
  }
  if (fate === "lost") disk.lose();
  const found = fate === "cloned" ? state.others.map((it) => it.copy()) : copies;
  const copy = found[dice.between(0, found.length - 1)];
  if ((fate === "cloned" || fate === "put back") && copy) disk.putBack(copy);
  if (fate === "damaged") {
    const files = scenario.plot?.damages ? /journal\.log/ : /journal\.log|run\.json/;
    const [first, ...rest] = disk.paths().filter((it) => files.test(it));
    if (first === undefined) return;
    disk.damage(dice.pick([first, ...rest]), (bytes) => damaged(bytes, dice));
  }
};

const damaged = (bytes: Buffer, dice: ReturnType<typeof diceFor>): Buffer => {
  const at = dice.between(0, Math.max(bytes.length - 1, 0));
  const flipped = Buffer.from(bytes);
  if (flipped.length > 0) flipped[at] = (flipped[at] ?? 0) ^ (1 << dice.between(0, 7));
  return dice.pick([
    Buffer.alloc(0),
    Buffer.concat([bytes, bytes]),
    flipped,
    Buffer.from(bytes.subarray(0, at)),
  ]);
};
