/** A run that is killed again and again, and resumed each time; and what the books say of it at its end. */
import { ended, program } from "../e2e/program.ts";
import { envFor, numbersOf, rowsOf, type Service, sending } from "./books.ts";
import { openLine } from "./line.ts";

/** When one process is killed: handed the means, it answers what to call at every moment of a request. */
export type Killing = (kill: () => void) => () => void;

/** At the n-th moment, counted anew by each process. */
export const atMoment =
  (at: number): Killing =>
  (kill) => {
    let moment = 0;
    return () => {
      moment += 1;
      if (moment === at) kill();
    };
  };

/** So many milliseconds after its first request arrived. */
export const afterFirst =
  (ms: number): Killing =>
  (kill) => {
    let begun = false;
    return () => {
      if (!begun) setTimeout(kill, ms);
      begun = true;
    };
  };

const never: Killing = () => () => undefined;

export interface KilledRun {
  readonly flags: readonly string[];
  readonly rows: number;
  /** Number of its first recipient. */
  readonly first: number;
  /** One for each process; the last process is left alone. */
  readonly killings: readonly Killing[];
}

export const killedRun = async (service: Service, it: KilledRun) => {
  const { flags, rows, first, killings } = it;
  const stdin = rowsOf(rows, first);
  const now = { moment: (): void => undefined };
  const line = await openLine({ to: service.baseUrl, on: () => now.moment() });
  const msg = program();
  const env = envFor(line);
  const run = async (words: readonly string[], killing: Killing) => {
    const child = msg.start(words, { stdin, env });
    now.moment = killing(() => child.kill("SIGKILL"));
    return ended(child);
  };
  let last = await run(sending(...flags), killings[0] ?? never);
  let killed = 0;
  for (const killing of [...killings.slice(1), never]) {
    if (last.code !== null) break;
    killed += 1;
    last = await run(["send-many", "--resume", "last", "--json"], killing);
    // Killed before the run was written down: there is nothing to resume, and nothing was sent.
    if (last.code === 6) last = await run(sending(...flags), never);
  }
  const shown = await msg(["run", "show", "last", "--json"], { env });
  await line.stop();
  const books = service.books();
  const sent = numbersOf(rows, first).map((to) => books.get(to) ?? 0);
  return { code: last.code, err: last.err, killed, sent, shown: JSON.parse(shown.out) };
};
