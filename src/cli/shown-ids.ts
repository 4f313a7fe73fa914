/** A table may shorten an id: what was shown is remembered, and taken back where a word stands for an id. */
import {
  idsIn,
  isIdMember,
  rememberIds,
  type SeenIdsOptions,
  wholeId,
} from "../config/seen-ids.ts";
import type { Context } from "./context.ts";

/** So many rows of a list are remembered. */
const rememberedRows = 500;

/** Collects the ids of rows that a table on a terminal shows; elsewhere ids are whole. */
export const rememberShown = (ctx: Context) => {
  const isTable = ctx.view.format === "table" && ctx.io.out.isTTY;
  const rows: unknown[] = [];
  return {
    note: (shown: readonly unknown[]): void => {
      if (isTable) rows.push(...shown.slice(0, rememberedRows - rows.length));
    },
    keep: (): void => rememberIds(optionsOf(ctx), rows.flatMap(idsIn)),
  };
};

/** Words of a command by the name of their place, each shortened id made whole. */
export const withWholeIds = (
  ctx: Context,
  args: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(args).map(([name, words]) => [
      name,
      isIdMember(name) ? words.map((it) => wholeId(optionsOf(ctx), it)) : words,
    ]),
  );

const optionsOf = ({ environment }: Context): SeenIdsOptions => ({
  folder: environment.stateFolder,
  user: environment.user,
  random: environment.random,
});
