// Adds up the JSON reports of test runs; a run without a report, or a file that cannot be loaded, counts as failed.
import { existsSync, readFileSync } from "node:fs";

const sums = process.argv.slice(2).map((path) => {
  if (!existsSync(path)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(path, "utf8"));
  const broken = report.testResults.filter((it) => it.status === "failed" && it.assertionResults.length === 0);
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: report.success ? failed : Math.max(failed, 1) };
});
const total = (name) => sums.reduce((sum, it) => sum + it[name], 0);
process.stdout.write(`${total("passed")} passed, ${total("failed")} failed\n`);
