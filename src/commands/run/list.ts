import { basename } from "node:path";
import { tool } from "../../cli/command.ts";
import { choice } from "../../contract/fields.ts";
import { minor } from "../../output/columns.ts";
import { runStates } from "../../output/text/state-words.ts";
import type { Column, View } from "../../output/view.ts";
import {
  listReadableRuns,
  type RunRecord,
  runColumns,
  runFields,
  withDelivery,
} from "../../send/report/run-record.ts";
import { storeOf } from "../../send/store/run-folder.ts";

/** Shortens a path to its last name; other sources stay: a key may hold a slash. */
const sourceName = ({ source }: RunRecord): string =>
  source.startsWith("send --once ") ? source : basename(source);

const profile = minor("profile");

/** A screen shows the profile next to the source's name; elsewhere it follows what programs rely on. */
const columnsIn = ({ format, wide }: View): readonly Column<RunRecord>[] => {
  if (format !== "table" || wide) return [...runColumns, profile];
  const short = { name: "source", value: sourceName };
  return runColumns.flatMap((it): Column<RunRecord>[] =>
    it === "source" ? [short, profile] : [it],
  );
};

export default tool({
  flags: { state: choice(runStates, "only runs in this state") },
  columns: [...runColumns, profile],
  fields: runFields,
  examples: ["msg run list", "msg run list --state open", "msg run list --json"],
  run: async (ctx, { flags }) => {
    const store = storeOf(ctx);
    const { runs, ending } = listReadableRuns(store);
    const { state } = flags;
    const shown = runs.filter(({ row }) => (state ?? row.state) === row.state);
    const list = { rows: await withDelivery(ctx, shown.reverse()), ending };
    return ctx.view.fields === undefined ? { ...list, columns: columnsIn(ctx.view) } : list;
  },
});
