/** A seed that fails: as little harm as makes it fail, and what happens then. */
import type { Played, Theatre } from "./simulate.ts";

/** Leaves out one fault after the other, as long as something is wrong. */
export const shrunk = async (theatre: Theatre, failed: Played): Promise<Played> => {
  const off = new Set<string>();
  let least = failed;
  for (const fault of failed.faults) {
    const without = new Set([...off, fault]);
    const tried = await theatre.play(failed.seed, without);
    if (tried.wrong.length === 0) continue;
    off.add(fault);
    least = tried;
  }
  return least;
};

export const reportOf = ({ seed, way, wrong, faults, history }: Played): string =>
  [
    `seed ${seed}, ${way}: ${[...new Set(wrong)].join("; ")}`,
    `replay: SEED=${seed} npx vitest run --config test/vitest.config.ts test/simulation`,
    `needed: ${faults.join(", ")}`,
    ...history,
  ].join("\n");

export interface Seeds {
  readonly from: number;
  readonly count: number;
}

/** The first of so many seeds that fails, as it is and with as little harm as makes it fail. */
export const firstFailureOf = async (
  theatre: Theatre,
  { from, count }: Seeds,
): Promise<Played | undefined> => {
  for (let seed = from; seed < from + count; seed += 1) {
    const played = await theatre.play(seed);
    if (played.wrong.length > 0) return shrunk(theatre, played);
  }
  return undefined;
};

/** The reports of those of so many seeds that fail; after three of them it is enough. */
export const failuresOf = async (
  theatre: Theatre,
  { from, count }: Seeds,
): Promise<readonly string[]> => {
  const reports: string[] = [];
  for (let seed = from; seed < from + count && reports.length < 3; seed += 1) {
    const played = await theatre.play(seed);
    if (played.wrong.length > 0) reports.push(reportOf(await shrunk(theatre, played)));
  }
  return reports;
};
