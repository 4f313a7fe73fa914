/** `npm run bench [-- P1 P4 …] [--rounds 7] [--rows n] [--out file.json] [--only-this-node]`: every row with its ratios. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Bench, type Figure, output, type Row } from "./measure.ts";
import { comparison } from "./rows/compare.ts";
import { dueWaits } from "./rows/due-waits.ts";
import { largeGroup } from "./rows/large-group.ts";
import { start } from "./rows/p01-start.ts";
import { balance } from "./rows/p02-balance.ts";
import { sandboxSend } from "./rows/p03-sandbox-send.ts";
import { sends } from "./rows/p04-sends.ts";
import { runOfMany } from "./rows/p05-run.ts";
import { jsonSources } from "./rows/p06-json-sources.ts";
import { runMemory } from "./rows/p07-run-memory.ts";
import { runToSandbox } from "./rows/p08-run-to-sandbox.ts";
import { paths } from "./rows/p09-paths.ts";
import { sandboxLoad } from "./rows/p10-sandbox-load.ts";
import { sandboxStart } from "./rows/p11-sandbox-start.ts";
import { pages } from "./rows/p12-pages.ts";
import { all } from "./rows/p13-all.ts";
import { resume } from "./rows/p15-resume.ts";
import { guard } from "./rows/p16-guard.ts";
import { partsOfWorkers } from "./rows/p17-workers.ts";
import { korean } from "./rows/p18-korean.ts";
import { size } from "./rows/size.ts";

const rows: readonly Row[] = [
  start,
  balance,
  sandboxSend,
  sends,
  runOfMany,
  jsonSources,
  runMemory,
  runToSandbox,
  paths,
  sandboxLoad,
  sandboxStart,
  pages,
  all,
  resume,
  guard,
  partsOfWorkers,
  korean,
  largeGroup,
  dueWaits,
  comparison,
  size,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    rows: { type: "string", default: "1000000" },
    out: { type: "string", default: join(tmpdir(), "msg-bench.json") },
    "only-this-node": { type: "boolean", default: false },
  },
});

/** The newest Node comes from the npm package `node`; without a registry only this one is measured. */
const newestNode = async (): Promise<string | undefined> => {
  const args = ["-y", "-p", "node@26", "--", "node", "-p", "process.execPath"];
  return output({ file: "npx", args }).then(
    (text) => text.trim(),
    () => undefined,
  );
};

const ratio = (figure: Figure, to: string): number =>
  (figure.medians[figure.subject] ?? Number.NaN) / (figure.medians[to] ?? Number.NaN);

const verdicts = (figure: Figure) =>
  figure.goals.map(({ to, atMost, atLeast }) => {
    const found = ratio(figure, to);
    const met = found <= (atMost ?? Infinity) && found >= (atLeast ?? -Infinity);
    return {
      to,
      ratio: Number(found < 0.1 ? found.toPrecision(2) : found.toFixed(2)),
      goal: atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`,
      met,
    };
  });

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const printFigure = (figure: Figure): void => {
  const medians = Object.entries(figure.medians).map(
    ([name, value]) => `${name} ${value.toFixed(value < 10 ? 2 : 0)}`,
  );
  const rounds = figure.rounds === undefined ? "" : ` (rounds: ${figure.rounds})`;
  print(`  ${figure.what}${rounds}: ${medians.join(" · ")} ${figure.unit}`);
  if (figure.goals.length === 0) print("    no goal");
  for (const { to, ratio: found, goal, met } of verdicts(figure))
    print(`    ${found} × ${to} (goal ${goal}) ${met ? "met" : "MISSED"}`);
};

const programs = join(dirname(fileURLToPath(import.meta.url)), "programs");

const hasCompileCache = async (node: string): Promise<boolean> => {
  const args = ["-p", "typeof require('node:module').enableCompileCache"];
  return (await output({ file: node, args })).trim() === "function";
};

const runRow = async (row: Row, node: string) => {
  const folder = mkdtempSync(join(tmpdir(), "msg-bench-"));
  const bench: Bench = {
    node,
    hasCompileCache: await hasCompileCache(node),
    rounds: Number(values.rounds),
    rows: Number(values.rows),
    programs,
    msg: resolve("bin/msg.js"),
    folder,
  };
  try {
    const figures = await row.run(bench);
    for (const figure of figures) printFigure(figure);
    return {
      id: row.id,
      what: row.what,
      figures: figures.map((it) => ({ ...it, verdicts: verdicts(it) })),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    print(`  could not be measured: ${why}`);
    return { id: row.id, what: row.what, failed: why };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const chosen = rows.filter((it) => positionals.length === 0 || positionals.includes(it.id));
const nodes = [process.execPath, ...(values["only-this-node"] ? [] : [await newestNode()])].filter(
  (it) => it !== undefined,
);
const report: unknown[] = [];
for (const node of nodes) {
  const version = (await output({ file: node, args: ["--version"] })).trim();
  print(`\nNode ${version}, median of ${values.rounds} rounds`);
  for (const row of chosen) {
    print(`${row.id} ${row.what}`);
    report.push({ node: version, rounds: Number(values.rounds), ...(await runRow(row, node)) });
  }
}
writeFileSync(values.out, `${JSON.stringify(report, undefined, 2)}\n`);
print(`\n${values.out}`);
