/** Several workers on one source in containers without a disk, each killed again and again: a new one has nothing. */
import { ended, program } from "../e2e/program.ts";
import { envFor, numbersOf, rowsOf, type Service, sending } from "./books.ts";
import { type LineOptions, openLine, type Passing } from "./line.ts";

export interface Workers {
  readonly of: number;
  readonly rows: number;
  /** Number of the first recipient. */
  readonly first: number;
  /** For each worker: at which of the moments of its writes its processes are killed, one after the other. */
  readonly kills: readonly (readonly number[])[];
  readonly hooks?: () => Pick<LineOptions, "harm" | "heard" | "date">;
}

/** Whatever does harm to the line, an orchestrator starts the same so often. */
const mostStarts = 60;
/** Nobody waits a minute here for a machine that is gone. */
const waitedMs = 120_000;

/** Answers the exit codes of each worker, what its last process said, and how often each row was sent. */
export const runWorkers = async (service: Service, it: Workers) => {
  const workers = Array.from({ length: it.of }, (_, at) => runWorker(service, it, at));
  const done = await Promise.all(workers);
  return {
    codes: done.map(({ codes }) => codes),
    accepted: done.reduce((sum, { accepted }) => sum + accepted, 0),
    sent: service.countsOf(numbersOf(it.rows, it.first)),
  };
};

const runWorker = async (
  service: Service,
  { of, rows, first, kills, hooks }: Workers,
  at: number,
) => {
  const moments = { left: Number.POSITIVE_INFINITY, kill: (): void => undefined };
  const line = await openLine({
    to: service.baseUrl,
    date: () => new Date(Date.now() + waitedMs),
    ...hooks?.(),
    on: ({ method }: Passing) => {
      if (method !== "GET") moments.left -= 1;
      if (moments.left === 0) moments.kill();
    },
  });
  const words = ["--part", `${at + 1}/${of}`, "--once", `key-${first}`, "--json", "-y"];
  const codes: (number | null)[] = [];
  try {
    for (let nth = 0; nth < mostStarts; nth += 1) {
      moments.left = kills[at]?.[nth] ?? Number.POSITIVE_INFINITY;
      const sizes = ["--chunk", "2", "--group-size", "4", "--settle", "1s"];
      const child = program().start(sending(...sizes, ...words), {
        stdin: rowsOf(rows, first),
        env: envFor(line),
      });
      moments.kill = () => child.kill("SIGKILL");
      const { code, out } = await ended(child);
      codes.push(code);
      if (code === 0) return { codes, accepted: Number(JSON.parse(out).accepted) };
    }
    return { codes, accepted: 0 };
  } finally {
    await line.stop();
  }
};
