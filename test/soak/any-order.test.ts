/**
 * `PLAYS` plays, 1,000 or as many: commands of three machines in any order behind a run that was refused, sent in
 * part, scheduled or stopped, some of them two at a time, some interrupted, or while requests fail; no one gives
 * `--again`. A machine may be restored from a backup. No row goes out twice. `SEED` says where the search begins.
 */
import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { envFor, numbersOf } from "../faults/books.ts";
import { oneService } from "../faults/one-service.ts";
import { type Dice, diceFor } from "../simulation/dice.ts";
import { hurriedWorld } from "../support/clock.ts";
import { type Options, type Ran, type Shell, shell } from "../support/msg.ts";

const count = Number(process.env.PLAYS ?? 1_000);
const from = Number(process.env.SEED ?? 1);
const hourMs = 3_600_000;
const plenty = { quota: 100_000_000, balance: 1_000_000_000, point: 0 };

const world = hurriedWorld();
const { opened, nextBatch } = oneService(world.now);

interface Play {
  readonly dice: Dice;
  readonly begin: string;
  readonly text: string;
  readonly numbers: readonly string[];
  /** The list, as it is sent again and again: by its key, or by its rows. */
  readonly list: readonly string[];
  readonly unshaped: readonly string[];
  readonly stdin: string;
  readonly isKeyed: boolean;
  /** Without groups machines know nothing of each other: there is one. */
  readonly isDirect: boolean;
  /** Those that fail are sent in place as an SMS, which may arrive. */
  readonly isKakao: boolean;
  readonly run: (at: number, words: readonly string[], how?: Options) => Promise<Ran>;
  readonly history: string[];
  readonly folder: string;
  /** The first run. */
  id: string;
  passedHours: number;
  retriesOfFailed: number;
}

/** Not registered yet, of this play alone. */
const senderOf = (seed: number): string => `03${11_111_111 + (seed % 80_000_000)}`;

const begins = [
  ...["quota", "money", "sender", "mixed", "failing"],
  ...["single", "sent", "scheduled", "declined", "guard", "cancelled"],
] as const;
const reshapes: readonly [string[], ...string[][]] = [[], ["--group-size", "2"], ["--chunk", "2"]];

const pfId = "KA01PF260101000000000SANDBOX0001";
/** Has no Kakao Talk: an SMS is sent in its place, which arrives. */
const withoutTalk = "01000003104";
const unreachable = "01000003042";

/** Stands for the half that a machine sends. */
const ownPart = "own";

const playOf = (seed: number): Play => {
  const dice = diceFor(seed, "any order");
  const begin = dice.pick(begins);
  const isSingle = begin === "single";
  const isDirect = !isSingle && begin !== "scheduled" && dice.chance(0.25);
  const isKeyed = isSingle || (!isDirect && dice.chance(0.4));
  const text = `play ${seed}`;
  const numbers = numbersOf(isSingle ? 1 : 4, nextBatch());
  const isKakao = dice.chance(0.3);
  if (begin === "failing" || begin === "mixed")
    numbers.splice(1, isKakao ? 2 : 1, ...(isKakao ? [withoutTalk, unreachable] : [withoutTalk]));
  const senderAt = (row: number): string =>
    begin === "sender" || (begin === "mixed" && row % 2 === 0) ? senderOf(seed) : "0200000000";
  const rows = numbers.map((it, row) => `${it},${senderAt(row)}`);
  const hour = new Date(world.now().getTime() + 5 * hourMs).toISOString();
  const unshaped = [
    ...(isSingle ? ["send", "--to", ...numbers, "--from", "0200000000"] : ["send-many", "-"]),
    ...["--text", text, "--json"],
    ...(begin === "scheduled" ? ["--at", hour] : []),
    ...(isKeyed ? ["--once", text] : []),
    ...(isDirect ? ["--direct"] : []),
    ...(isKakao ? ["--kakao", JSON.stringify({ pfId })] : []),
  ];
  const shapes: readonly string[][] = isSingle
    ? [[]]
    : [["--part", "1/1"], ["--part", ownPart], ...reshapes];
  const shape = isDirect ? reshapes[2] : shapes[dice.between(0, shapes.length - 1)];
  const list = [...unshaped, ...(shape ?? [])];
  const machines = [shell(world), shell(world), shell(world)] as const;
  const history = [`seed ${seed}, ${begin}: ${list.slice(5).join(" ")}`];
  const play = {
    dice,
    begin,
    text,
    numbers,
    list,
    unshaped,
    isKeyed,
    isDirect,
    isKakao,
    history,
    id: "last",
  };
  return {
    ...play,
    ...{ stdin: `to,from\n${rows.join("\n")}\n`, passedHours: 0, retriesOfFailed: 0 },
    folder: machines[0].folder,
    run: async (at, words, how = {}) => {
      const own = words.map((it) => (it === ownPart ? `${(at % 2) + 1}/2` : it));
      const ran = await machineOf(machines, isDirect ? 0 : at)(own, {
        ...{ env: envFor(opened()) },
        ...how,
        ...(!words.includes("list") && dice.chance(0.1) && interrupted(dice.between(5, 150))),
      });
      history.push(`  ${at} ${words.join(" ")}: ${ran.code} ${/"code":"\w+"/.exec(ran.err) ?? ""}`);
      if (ran.code === 1) history.push(ran.err);
      return ran;
    },
  };
};

/** Ctrl-C when the clock is looked at for the n-th time. */
const interrupted = (looks: number): Pick<Options, "now" | "signal"> => {
  const controller = new AbortController();
  let left = looks;
  const now = (): Date => {
    left -= 1;
    if (left === 0) controller.abort();
    return world.now();
  };
  return { now, signal: controller.signal };
};

const machineOf = (machines: readonly [Shell, ...Shell[]], at: number): Shell =>
  machines[at] ?? machines[0];

const control = async (method: string, what: string, body: object = {}): Promise<void> => {
  const url = new URL(`/_sandbox/${what}`, opened().baseUrl);
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method, body: JSON.stringify(body), headers });
  expect(answer.status).toBe(200);
};

const settings = (body: object): Promise<void> => control("PUT", "settings", body);

/** The next requests of one kind fail, before they arrive or behind it. */
const harm = ({ dice, history }: Play): Promise<void> => {
  const on = `${dice.pick(["POST", "POST", "PUT", "DELETE", "GET"])} /messages/v4/*`;
  const how = dice.pick(["drop-before", "drop-after", "drop-after", "truncate", "garbage"]);
  // A command asks again a few times, and gives up then.
  const times = dice.pick([1, 2, 3, 50]);
  history.push(`  ${times} ${on}: ${how}`);
  return control("POST", "faults", { on, do: how, times });
};

/** A run that these words begin, and that the service refuses: its groups as a whole, or the call that sends them. */
const shortOf = async (
  lack: "quota" | "balance",
  play: Play,
  at: number,
  words: readonly string[],
): Promise<void> => {
  await settings({ [lack]: 1 });
  const ran = await play.run(at, words, { stdin: play.stdin });
  if (ran.code === 7) await play.run(at, ["send-many", "--resume", "last", "--json"]);
  await settings(plenty);
};

const beginPlay = async (play: Play, seed: number): Promise<void> => {
  const { begin, list, stdin, run } = play;
  await settings({ ...plenty, ...(begin === "guard" && { quota: 1 }) });
  if (play.dice.chance(0.3)) await harm(play);
  if (begin === "quota") await shortOf("quota", play, 0, list);
  else if (begin === "money") await shortOf("balance", play, 0, list);
  else if (begin === "declined" && !play.isDirect)
    await run(0, [...list, "--canary", "1", "-y"], { stdin, tty: 100, answers: ["n"] });
  else await run(0, list, { stdin });
  await control("DELETE", "faults");
  await settings({ ...plenty, sender: senderOf(seed) });
  if (begin === "failing" || begin === "mixed") world.pass(600_000);
  if (begin === "cancelled") await run(0, ["run", "cancel", "last", "-y", "--json"]);
  const runs: readonly { readonly run: string }[] = JSON.parse(
    (await run(0, ["run", "list", "--json"])).out,
  );
  play.id = runs[0]?.run ?? "last";
};

type Command = (play: Play) => Promise<unknown>;

const sendList: Command = ({ run, dice, list, stdin }) => run(dice.between(0, 2), list, { stdin });

/** The same rows by other requests. */
const sendReshaped: Command = ({ run, dice, unshaped, stdin }) =>
  run(dice.between(0, 2), [...unshaped, ...dice.pick(reshapes)], { stdin });

const which = ({ dice, id }: Play): string => dice.pick([id, id, "last"]);

const retry: Command = async (play) => {
  const flag = play.dice.pick(["--retry-refused", "--retry-failed"]);
  const ran = await play.run(play.dice.pick([0, 0, 0, 1]), [
    "send-many",
    flag,
    which(play),
    "--json",
  ]);
  if (flag === "--retry-failed" && ran.code !== 2 && ran.code !== 7) play.retriesOfFailed += 1;
};

const sendPlan: Command = async (play) => {
  const { dice, folder, list, stdin, run, id } = play;
  const plan = join(folder, `${dice.between(0, 1e9)}.msgplan`);
  const words = dice.pick([list, ["send-many", "--retry-refused", id, "--json"]]);
  const planned = await run(0, [...words, "--plan-out", plan], { stdin });
  if (planned.code === 0) await run(dice.between(0, 2), ["send-many", "--plan", plan, "--json"]);
};

const runOut: Command = (play) =>
  shortOf(
    play.dice.pick(["quota", "balance"]),
    play,
    play.dice.pick([0, 0, 1]),
    play.dice.pick([play.list, ["send-many", "--retry-refused", which(play), "--json"]]),
  );

const followUp: Command = (play) => {
  const words = play.dice.pick([
    ["send-many", "--resume", which(play), "--json"],
    ["run", "reconcile", which(play), "--json"],
    ["run", "cancel", which(play), "-y", "--json"],
    ["run", "purge", "-y", "--json"],
  ]);
  return play.run(play.dice.pick([0, 0, 1]), words);
};

/**
 * By hand, whatever stands in the list of groups: of earlier plays, too. What is sent without groups says nothing
 * of its rows.
 */
const handleGroups: Command = async ({ run, dice, isDirect }) => {
  if (isDirect) return;
  const acts: readonly [[string, string], ...[string, string][]] = [
    ["PENDING", "send"],
    ["PENDING", "delete"],
    ["FAILED", "resend"],
    ["SCHEDULED", "unschedule"],
  ];
  const [status, verb] = dice.pick(acts);
  const listed = await run(2, [
    ...["group", "list", "--criteria", "status", "--cond", "eq", "--value", status],
    ...["--limit", "3", "--json"],
  ]);
  if (listed.code !== 0) return;
  const groups: readonly { readonly groupId: string }[] = JSON.parse(listed.out);
  for (const { groupId } of groups) await run(2, ["group", verb, groupId, "-y", "--json"]);
};

/**
 * The state of the first machine is copied once, and is put back later, as from a backup: it knows nothing of what it
 * did between. What is sent without groups is known there alone.
 */
const restore: Command = async ({ folder, history, isDirect }) => {
  if (isDirect) return;
  const [state, copy] = ["state", "copy"].map((it) => join(folder, it));
  if (state === undefined || copy === undefined || !existsSync(state)) return;
  const isBack = existsSync(copy);
  history.push(isBack ? "  the state is put back" : "  the state is copied");
  if (!isBack) return cpSync(state, copy, { recursive: true });
  rmSync(state, { recursive: true });
  renameSync(copy, state);
};

/** Without a key the same list is another sending behind 24 hours. */
const letPass: Command = async (play) => {
  const hours = play.dice.pick([1, 6, 20, 26]);
  if (play.passedHours + hours > (play.isKeyed ? 100 : 22)) return;
  play.passedHours += hours;
  play.history.push(`  ${hours} hours pass`);
  world.pass(hours * hourMs);
};

const commands = [
  ...[sendList, sendReshaped, retry, retry, sendPlan],
  ...[runOut, followUp, handleGroups, letPass, restore, restore],
] as const;

/** How often each recipient was written to, or will be at the hour of a schedule. */
const countsOf = ({ text, numbers }: Play): readonly number[] => {
  const rows = opened().rows<{ recipient: string; count: number }>(
    `SELECT recipient, count(*) AS count FROM messages
     WHERE text = '${text}' AND replacement = 0 AND statusCode NOT LIKE '1%' AND EXISTS (
       SELECT 1 FROM batches JOIN groups ON groups.seq = batches.groupSeq
       WHERE messages.seq BETWEEN firstSeq AND lastSeq AND groups.status <> 'FAILED'
       AND (groups.sent IS NOT NULL OR groups.status = 'SCHEDULED'))
     GROUP BY recipient`,
  );
  return numbers.map((to) => rows.find((it) => it.recipient === to)?.count ?? 0);
};

/** How often it may have been sent once more, since it had failed. */
const retriesOf = ({ isKakao, retriesOfFailed }: Play, number?: string): number =>
  number === (isKakao ? unreachable : withoutTalk) ? retriesOfFailed : 0;

/** What went wrong in it; undefined where nothing did. */
const failureOf = async (seed: number): Promise<string | undefined> => {
  // What was sent in the play before is older than a day.
  world.pass(30 * hourMs);
  const play = playOf(seed);
  await beginPlay(play, seed);
  for (let left = play.dice.between(3, 8); left > 0; left -= 1) {
    if (play.dice.chance(0.3)) await harm(play);
    const isWide = play.dice.chance(0.25);
    const [first, other] = [play.dice.pick(commands), play.dice.pick(commands)];
    if (isWide) play.history.push("  two at a time:");
    const isAlone = first === restore || other === restore;
    await Promise.all([first(play), isWide && !isAlone && other(play)]);
    await control("DELETE", "faults");
    const counts = countsOf(play);
    play.history.push(`  = ${counts}`);
    const isOdd = play.history.some((it) => it.includes(": 1 "));
    const isTwice = counts.some((it, at) => it > 1 + retriesOf(play, play.numbers[at]));
    if (isOdd || isTwice) return play.history.join("\n");
  }
  return undefined;
};

test(`${count} plays from ${from} on: no row goes out twice`, async () => {
  const failures: string[] = [];
  for (let seed = from; seed < from + count && failures.length < 3; seed += 1) {
    const failure = await failureOf(seed);
    if (failure !== undefined) failures.push(failure);
  }
  expect(failures.join("\n\n")).toBe("");
});
