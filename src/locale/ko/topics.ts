/** `msg help <topic>` in Korean. */
import agents from "./topics/campaigns/agents.txt";
import approval from "./topics/campaigns/approval.txt";
import canary from "./topics/campaigns/canary.txt";
import manyMachines from "./topics/campaigns/many-machines.txt";
import plans from "./topics/campaigns/plans.txt";
import dates from "./topics/dates.txt";
import environment from "./topics/environment.txt";
import exitCodes from "./topics/exit-codes.txt";
import filters from "./topics/filters.txt";
import limits from "./topics/limits.txt";
import output from "./topics/output.txt";
import reliability from "./topics/reliability.txt";
import runs from "./topics/runs.txt";
import sandbox from "./topics/sandbox.txt";
import sending from "./topics/sending.txt";

export const koreanTopics: Readonly<Record<string, string>> = {
  "exit-codes": exitCodes,
  environment,
  output,
  limits,
  sandbox,
  sending,
  runs,
  plans,
  approval,
  canary,
  agents,
  "many-machines": manyMachines,
  reliability,
  dates,
  filters,
};
