/** Plays one scenario to its end, in one process and in no time: what happened, and what was wrong with it. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Answer, Wire } from "../../src/contract/wire.ts";
import { openSandbox } from "../../src/sandbox/index.ts";
import { openDatabase } from "../../src/sandbox/store/driver.ts";
import { numbersOf } from "../faults/books.ts";
import { countsOf } from "./books.ts";
import { environment, type World } from "./machine.ts";
import { operate, type Stage } from "./operator.ts";
import { type Scenario, scenarioOf } from "./scenario.ts";
import { createSchedule, type Schedule, type Turns, watchTurns } from "./schedule.ts";
import { withTokens } from "./tokens.ts";

export interface Played {
  readonly seed: number;
  readonly way: string;
  /** One line for each thing that happened. */
  readonly history: readonly string[];
  /** Ids of what was harmed. */
  readonly faults: readonly string[];
  readonly wrong: readonly string[];
}

export interface Theatre {
  readonly play: (seed: number, off?: ReadonlySet<string>) => Promise<Played>;
  readonly close: () => void;
}

export { failuresOf, firstFailureOf, reportOf } from "./shrink.ts";

/** The deliveries to these end with the code in their last digits. */
const failingNumbers = ["3010", "3012", "3024", "3040", "3041"].map((code) => `0100000${code}`);

const beganMs = Date.parse("2026-01-15T01:00:00.000Z");
const dayMs = 24 * 60 * 60_000;

/** A sandbox is made once, and copied for each seed. */
export const openTheatre = (): Theatre => {
  const turns = watchTurns();
  const folder = mkdtempSync(join(tmpdir(), "msg-simulation-"));
  const template = join(folder, "template.db");
  const wait = async (): Promise<void> => undefined;
  openSandbox({ file: template, now: () => new Date(beganMs), wait }).close();
  const next = { number: 0 };
  return {
    play: async (seed, off = new Set()) => {
      next.number += 1;
      const file = join(folder, `${next.number}.db`);
      copyFileSync(template, file);
      try {
        return await played(turns, file, seed, off);
      } finally {
        for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
      }
    },
    close: () => {
      turns.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const played = async (
  turns: Turns,
  file: string,
  seed: number,
  off: ReadonlySet<string>,
): Promise<Played> => {
  const schedule = createSchedule(turns);
  const history: string[] = [];
  const fired = new Set<string>();
  const isOn = (id: string): boolean => {
    if (off.has(id)) return false;
    fired.add(id);
    return true;
  };
  const note = (line: string): void => {
    history.push(`${Math.round(schedule.now())} ${line}`);
  };
  const world: World = { schedule, beganMs, note };
  const sandbox = openSandbox({
    file,
    now: () => new Date(beganMs + schedule.now()),
    wait: schedule.sleep,
  });
  const tables = openDatabase(file);
  const scenario = scenarioOf(seed, { isOn });
  if (scenario.dropsFields)
    tables.run("INSERT INTO settings (name, value) VALUES ('groupFields', '\"dropped\"')");
  for (const { atMs, won } of scenario.purse ?? [])
    schedule.after(atMs, () => {
      note(`purse ${won} won`);
      tables.run("UPDATE accounts SET balance = ?, point = 0", [won]);
    });
  block(tables, schedule, scenario);
  const never = new AbortController().signal;
  const plain: Perform = (wire) => sandbox.send(wire, never);
  const quota = (count: number): void => {
    tables.run("UPDATE accounts SET quota = ?", [count]);
  };
  const short = shortOfQuota(scenario, plain, quota);
  if (scenario.shortHour) {
    const { beforeMs, afterMs } = scenario.shortHour;
    schedule.after(Math.max(0, scenario.hourMs - beforeMs), () => quota(0));
    schedule.after(scenario.hourMs + afterMs, () => quota(plentiful));
  }
  const service = withTokens(
    {
      perform: cached(scenario.cacheMs, schedule.now, async (wire) => {
        const answer = await short(paged(wire, scenario));
        const lagMs = isList(wire) ? scenario.lagMs : isMessages(wire) ? scenario.messageLagMs : 0;
        return lagMs > 0 ? asOf(beganMs + schedule.now() - lagMs, answer) : answer;
      }),
    },
    {
      apiKey: environment.MSG_API_KEY,
      apiSecret: environment.MSG_API_SECRET,
      nowMs: () => beganMs + schedule.now(),
    },
  );
  const wrong: string[] = [];
  const numbers = scenario.way.isRetry
    ? failingNumbers.slice(0, scenario.rows)
    : numbersOf(scenario.rows);
  const retried = { run: "", endedMs: 0 };
  const resent = new Set<number>();
  const counts = () => countsOf(tables, scenario, numbers, resent, retried.endedMs);
  const stage: Stage = {
    ...{ world, scenario, service, numbers },
    heard: new Map(),
    ...{ running: { count: 0 }, byHand: { count: 0, resent }, plan: { bytes: undefined } },
    plain,
    retried,
    sent: () => counts().map(({ count }) => count),
    twice: () => counts().some((it) => it.isTwice),
    complain: (what) => {
      note(`WRONG ${what}`);
      wrong.push(what);
    },
  };
  const plotted = scenario.plot ? `, ${scenario.plot.name}` : "";
  note(`${scenario.way.name}${plotted}, ${scenario.rows} rows on ${scenario.machines.join(" ")}`);
  try {
    const ends = { isOver: false };
    const operating = operate(stage).then(() => {
      ends.isOver = true;
    });
    const endless = await schedule.run(10 * dayMs);
    if (endless !== undefined) stage.complain(endless);
    else if (!ends.isOver) stage.complain("a process waits for nothing");
    else await operating;
    const sent = stage.sent();
    if (stage.twice()) stage.complain(`twice: ${sent}`);
    note(`books ${sent}`);
  } finally {
    tables.close();
    sandbox.close();
  }
  return { seed, way: scenario.way.name, history, faults: [...fired], wrong };
};

type Perform = (wire: Wire) => Promise<Answer>;

/** Some rows are refused for a while. */
const block = (
  tables: ReturnType<typeof openDatabase>,
  schedule: Schedule,
  { blocked, rows }: Scenario,
): void => {
  if (!blocked) return;
  const numbers = numbersOf(rows);
  for (const at of blocked.rows)
    tables.run(
      "INSERT INTO blocks (accountId, recipient, sender, optedOut, memo, created) SELECT accountId, ?, '', 0, '', 0 FROM accounts",
      [numbers[at] ?? ""],
    );
  schedule.after(blocked.untilMs, () => {
    tables.run("DELETE FROM blocks", []);
  });
};

/** Some groups are sent while the quota is used up. */
const shortOfQuota = (
  { isShort }: Scenario,
  perform: Perform,
  quota: (count: number) => void,
): Perform => {
  const sends = { count: 0 };
  return async (wire) => {
    if (wire.method !== "POST" || !wire.target.endsWith("/send")) return perform(wire);
    sends.count += 1;
    if (!isShort?.(sends.count)) return perform(wire);
    quota(0);
    const answer = await perform(wire);
    quota(plentiful);
    return answer;
  };
};

const plentiful = 1_000_000;

/** The service shows fewer groups on a page than it is asked for. */
const paged = (wire: Wire, { pageRows }: Scenario): Wire =>
  isList(wire) ? { ...wire, target: wire.target.replace(/limit=500/, `limit=${pageRows}`) } : wire;

const isList = ({ method, target }: Wire): boolean =>
  method === "GET" && target.startsWith("/messages/v4/groups?");

const isMessages = ({ method, target }: Wire): boolean =>
  method === "GET" && target.startsWith("/messages/v4/list?");

/** A gateway for all machines keeps what it was answered about groups, and answers with it for a while. */
const cached = (ms: number, now: () => number, perform: Perform): Perform => {
  const kept = new Map<string, { readonly atMs: number; readonly answer: Answer }>();
  return async (wire) => {
    const { method, target } = wire;
    if (method !== "GET" || !target.startsWith("/messages/v4/")) return perform(wire);
    const found = kept.get(target);
    if (found && now() - found.atMs < ms) return found.answer;
    const answer = await perform(wire);
    if (answer.status === 200) kept.set(target, { atMs: now(), answer });
    return answer;
  };
};

interface Listed {
  readonly groupList?: Readonly<Record<string, { readonly dateCreated: string }>>;
  readonly messageList?: Readonly<Record<string, { readonly dateCreated: string }>>;
}

/** A list of the groups that had been made by then. */
const asOf = (byMs: number, answer: Answer): Answer => {
  if (answer.status !== 200) return answer;
  const page: Listed = JSON.parse(Buffer.from(answer.body).toString());
  const name = "groupList" in page ? "groupList" : "messageList";
  const shown = Object.entries(page[name] ?? {}).filter(
    ([, { dateCreated }]) => Date.parse(dateCreated) <= byMs,
  );
  const kept = { ...page, [name]: Object.fromEntries(shown) };
  return { ...answer, body: Buffer.from(JSON.stringify(kept)) };
};
