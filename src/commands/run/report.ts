import { tool } from "../../cli/command.ts";
import { force, saveFile } from "../../cli/save-document.ts";
import { file, required, text } from "../../contract/fields.ts";
import { listGroups, readGroup } from "../../contract/groups.ts";
import { listMessages } from "../../contract/messages.ts";
import { invalidValue } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { assertFree } from "../../output/save-file.ts";
import { tableText } from "../../output/text/cell.ts";
import type { View } from "../../output/view.ts";
import { findOwnRun } from "../../send/guards/own-run.ts";
import { createOutcomeTally, reportRows } from "../../send/report/document/report-rows.ts";
import type { ReportFacts } from "../../send/report/document/xlsx-report.ts";
import { type RunRecord, runRecord } from "../../send/report/run-record.ts";
import { storeOf } from "../../send/store/run-folder.ts";

export default tool({
  additionalEndpoints: [listMessages, listGroups, readGroup],
  args: { run: text("id of the run, or last") },
  flags: {
    out: required(file("report file: .xlsx with every row, .html for a browser")),
    force,
  },
  columns: ["file", "rows", "delivered", "failed"],
  exits: [11],
  examples: [
    "msg run report last --out report.xlsx",
    "msg run report last --out report.html --force",
    "msg run report last --out report.xlsx --json",
  ],
  run: async (ctx, { args, flags }) => {
    const { out } = flags;
    const isPage = kindOf(out) === "html";
    await assertFree(out, flags);
    const store = storeOf(ctx);
    const run = await findOwnRun(ctx, args.run);
    const facts = factsOf(runRecord(store, run), ctx.clock.now(), ctx.view);
    const tally = createOutcomeTally();
    const rows = reportRows(ctx, run);
    const title = t`Run ${run.run}`;
    // Loaded late: most commands write no documents.
    const { htmlReport } = await import("../../send/report/document/html-report.ts");
    const { xlsxReport } = await import("../../send/report/document/xlsx-report.ts");
    const bytes = isPage
      ? await htmlReport(title, facts, rows, tally)
      : xlsxReport(facts, rows, tally);
    const done = t`the report holds recipients and texts; keep it where only those who need it can read it`;
    await saveFile(ctx, out, bytes, flags, done);
    const [delivered, failed] = [tally.countOf("delivered"), tally.countOf("failed")];
    return { record: { file: out, rows: tally.total(), delivered, failed } };
  },
});

const kindOf = (path: string): "html" | "xlsx" => {
  const [, kind] = /\.(html|xlsx)$/i.exec(path) ?? [];
  if (kind !== undefined) return kind.toLowerCase() === "html" ? "html" : "xlsx";
  throw invalidValue(
    t`--out: '${path}' does not end in .xlsx or .html`,
    t`choose a name that ends in .xlsx or .html`,
  );
};

const factsOf = (run: RunRecord, now: Date, view: View): ReportFacts => {
  const shown = tableText(view);
  return [
    [t`Id`, run.run],
    [t`State`, run.state],
    [t`Source`, run.source],
    [t`Started`, shown(run.started)],
    [t`Scheduled for`, run.scheduledDate === null ? "" : shown(run.scheduledDate)],
    [t`Profile`, run.profile],
    [t`Groups`, run.groups.join(" ")],
    [t`Cost (won)`, run.cost ?? t`unknown`],
    [t`Read`, `${shown(now.toISOString())} (${view.timeZone})`],
  ].filter((it): it is [string, string | number] => it[1] !== "");
};
