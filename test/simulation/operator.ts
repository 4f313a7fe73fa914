/** Who sits before each machine: starts a command, and goes on as it says until it has ended well. */
import { diceFor } from "./dice.ts";
import { createDisk, type Disk } from "./disk.ts";
import { errorOf, falseClaims } from "./judge.ts";
import { type Line, type Service, sendOver } from "./line.ts";
import { type Ended, launch, type Machine, type World } from "./machine.ts";
import type { DiskFate, Scenario } from "./scenario.ts";

export interface Stage {
  readonly world: World;
  readonly scenario: Scenario;
  readonly service: Service;
  readonly numbers: readonly string[];
  readonly heard: Line["heard"];
  /** How often each row was sent. */
  readonly sent: () => number[];
  readonly complain: (what: string) => void;
}

/** So many processes end a loop at the latest when nothing is harmed any more. */
const enough = 12;

export const operate = async (stage: Stage): Promise<void> => {
  const { scenario } = stage;
  const shared = scenario.way.machines === "one disk" ? createDisk() : undefined;
  await Promise.all(
    scenario.machines.map((name, at) => loop(stage, name, at, shared ?? createDisk())),
  );
};

const loop = async (stage: Stage, name: string, at: number, disk: Disk): Promise<void> => {
  const { scenario, world } = stage;
  const { schedule } = world;
  const dice = diceFor(scenario.seed, "operator", name);
  const machine = machineOf(stage, name, disk);
  const line = lineOf(stage, name);
  const state: LoopState = { launches: 0, harmless: 0, words: firstWords(stage), copies: [] };
  await schedule.sleep(dice.chance(0.5) ? dice.between(0, 2_000) : dice.span(2_000, 7_200_000));
  for (;;) {
    state.launches += 1;
    const isHarmed = state.launches <= scenario.harmedLaunches && !isOver(stage);
    if (isOver(stage)) state.harmless += 1;
    const before = stage.sent();
    const ended = await launch(world, {
      machine,
      pid: 100 * (at + 1) + state.launches,
      boot: `boot of ${name}`,
      argv: state.words,
      stdin: scenario.way.isRun ? `to\n${stage.numbers.join("\n")}\n` : "",
      dice: diceFor(scenario.seed, "random", name, state.launches),
      fate: isHarmed ? scenario.fateOf(name, state.launches) : undefined,
      lineFor: (gate) => sendOver(world, stage.service, line, gate),
      isRunning: (pid) => pid === 100 * (at + 1) + state.launches,
    });
    if (ended.code !== null) {
      world.note(`${name} said ${ended.out.replace(/\s+/g, " ")} ${ended.err.trim()}`);
      for (const wrong of falseClaims(scenario.way, { ended, before }, stage.sent()))
        if (isSending(state.words) || !wrong.startsWith("exit 0"))
          stage.complain(`${name}: ${wrong}`);
    }
    const next = nextWords(stage, state.words, ended, dice.chance(0.5));
    if (next === undefined) return;
    if (state.harmless > enough) return stage.complain(`${name} finds no end`);
    state.words = next;
    if (errorOf(ended).code === cannotRebuild) disk.lose();
    if (dice.chance(0.3)) state.copies.push(disk.copy());
    if (isHarmed) meetFate(stage, name, state, disk, ended);
    await schedule.sleep(dice.span(500, dice.chance(0.2) ? 90_000_000 : 1_200_000));
    // Who does not come through goes on when all is well again.
    if (state.launches >= scenario.harmedLaunches + 2 && !isOver(stage))
      await schedule.sleep(scenario.harmEndsMs - schedule.now() + 1);
  }
};

interface LoopState {
  launches: number;
  harmless: number;
  words: readonly string[];
  readonly copies: (() => void)[];
}

const isOver = ({ world, scenario }: Stage): boolean => world.schedule.now() > scenario.harmEndsMs;

const machineOf = ({ scenario, world }: Stage, name: string, disk: Disk): Machine => {
  const { offsetMs, drift, steps } = scenario.clockOf(name);
  const clock = { offsetMs, drift };
  for (const { atMs, byMs } of steps)
    world.schedule.after(atMs, () => {
      clock.offsetMs += byMs;
      world.note(`${name} clock ${byMs} ms`);
    });
  // A clock that stays wrong is for its owner to set.
  world.schedule.after(scenario.harmEndsMs, () => {
    clock.offsetMs = 0;
  });
  return { name, clock, disk };
};

const lineOf = (stage: Stage, name: string): Line => {
  const { scenario, world, heard } = stage;
  const { way } = scenario;
  const lie = scenario.falseDate(name);
  const now = world.schedule.now;
  return {
    name,
    heard,
    count: 0,
    harmFor: (number, passing) =>
      isOver(stage) ? undefined : scenario.harmFor(name, number, passing),
    delayFor: (number) => diceFor(scenario.seed, "delay", name, number),
    onLeaving: ({ method, path }) => {
      const isLate = now() > scenario.hourMs && way.isLater;
      if (isLate && method === "POST" && path.endsWith("/schedule"))
        stage.complain(`${name} schedules behind the hour`);
    },
    falseDateMs: () =>
      lie && !isOver(stage) && now() >= lie.fromMs && now() < lie.toMs ? lie.byMs : 0,
  };
};

const firstWords = ({ scenario, numbers, world }: Stage): readonly string[] => {
  const { way, hourMs } = scenario;
  const to = way.isRun ? [] : numbers.flatMap((it) => ["--to", it]);
  const hour = new Date(world.beganMs + hourMs).toISOString();
  return [...way.command, ...to, ...(way.isLater ? ["--at", hour] : [])];
};

const cannotRebuild = "CannotRebuild";
const damages: ReadonlySet<string> = new Set(["RunNotReadable", "JournalDamaged"]);

/** Reconciling sends nothing. */
const isSending = ([first]: readonly string[]): boolean => first !== "run";

const tooLate: ReadonlySet<string> = new Set(["HourPassed", "SchedulePast"]);

/** Undefined where the loop is over. */
const nextWords = (
  stage: Stage,
  words: readonly string[],
  ended: Ended,
  isSame: boolean,
): readonly string[] | undefined => {
  const { way } = stage.scenario;
  const first = firstWords(stage);
  if (ended.code === 0) return isSending(words) ? undefined : first;
  const { code, hint } = errorOf(ended);
  const [, named] = /msg (run reconcile \w[\w-]*)/.exec(hint) ?? [];
  // What is left of it tells nothing: where others know what was sent, the folder is taken away.
  if (code === cannotRebuild) return way.diskFates.includes("lost") ? first : undefined;
  if (!way.isRun && named !== undefined && damages.has(code))
    return [...named.split(" "), "--json"];
  if (!way.isRun) {
    const mayRepeat = way.runAgain?.includes(ended.code ?? 11) ?? true;
    return mayRepeat ? first : undefined;
  }
  if (code === "SentBefore") {
    const [, run] = /--resume (\S+) goes on/.exec(hint) ?? [];
    if (run !== undefined) return ["send-many", "--resume", run, "--json"];
    return named === undefined ? undefined : [...named.split(" "), "--json"];
  }
  if (tooLate.has(code)) return undefined;
  if (named !== undefined && isSame) return [...named.split(" "), "--json"];
  if (code === "NoRun" || ended.code === null || isSame) return first;
  return ["send-many", "--resume", "last", "--json"];
};

const meetFate = (
  stage: Stage,
  name: string,
  { launches, copies }: LoopState,
  disk: Disk,
  { code }: Ended,
): void => {
  const { scenario, world } = stage;
  const fate: DiskFate = scenario.diskFateOf(name, launches);
  const dice = diceFor(scenario.seed, "disk dice", name, launches);
  if (fate === "kept" || (fate === "power cut" && code !== null)) return;
  world.note(`${name} disk ${fate}`);
  if (fate === "power cut") disk.cutPower(dice);
  if (fate === "lost") disk.lose();
  if (fate === "put back" && copies.length > 0) copies[dice.between(0, copies.length - 1)]?.();
  if (fate === "damaged") {
    const [first, ...rest] = disk.paths().filter((it) => /journal\.log|run\.json/.test(it));
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
