/** The rows of a canary: the first of the list, or the first texts once more, to numbers of one's own. */

import * as v from "valibot";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { readExcluded } from "../messages/seen.ts";
import type { RunFlags } from "../start/run-flags.ts";
import type { PlannedChunk } from "../store/run-file.ts";

/** One of both. */
export interface CanaryRows {
  readonly rows?: number | undefined;
  readonly team?: readonly string[] | undefined;
}

/** Numbers of one's own at most: a canary is looked at by people. */
const maxTeam = 1_000;

/** Undefined where all of a run goes out at once. */
export const readCanary = async (
  ctx: Ports,
  { canary: rows, canaryTo }: Pick<RunFlags, "canary" | "canaryTo">,
): Promise<CanaryRows | undefined> => {
  if (canaryTo !== undefined) return { team: await readTeam(ctx, canaryTo) };
  return rows === undefined ? undefined : { rows };
};

/** The numbers of `--canary-to`, each once. Throws MsgError (usage). */
const readTeam = async (ctx: Ports, file: string): Promise<readonly string[]> => {
  const numbers = [...(await readExcluded(ctx.io.read(file), file))];
  const wrong = (what: string) =>
    usageError(`--canary-to: ${what}`, {
      code: "InvalidRows",
      where: file,
      todo: t`nothing was sent`,
    });
  if (numbers.length === 0) throw wrong(t`the file has no numbers`);
  if (numbers.length > maxTeam) throw wrong(t`takes at most ${formatFigure(maxTeam)} numbers`);
  const abroad = numbers.find((it) => !/^\d+$/.test(it));
  if (abroad !== undefined) throw wrong(t`${abroad} is not a number of this country`);
  return numbers;
};

/** The first texts, one a number; from the first again where there are fewer. `kept`: these messages as JSON. */
export const teamMessages = (
  canary: CanaryRows | undefined,
  kept: readonly string[],
): readonly MessageInput[] =>
  (canary?.team ?? []).flatMap((to, at) => {
    const json = kept[at % Math.max(1, kept.length)];
    if (json === undefined) return [];
    const { country: _, ...message } = v.parse(messageInput, JSON.parse(json));
    return [{ ...message, to }];
  });

/** The bodies of a canary: the first ones, or those behind the list, which has `listed`. */
export const canaryChunks = (
  { rows = 0, team }: CanaryRows,
  chunks: readonly PlannedChunk[],
  listed: number,
): { readonly from: number; readonly to: number } => {
  if (team) return { from: listed, to: chunks.length };
  let to = 0;
  for (let sum = 0; to < chunks.length && sum < rows; to += 1) sum += chunks[to]?.rows ?? 0;
  return { from: 0, to };
};
