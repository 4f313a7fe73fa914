/**
 * Every sentence of `msg` in Korean: one catalog for each folder of src, and for the largest folders of
 * src/send. A file of its own in dist.
 */

import type { Catalog } from "../locale.ts";
import app from "./app.json" with { type: "json" };
import cli from "./cli.json" with { type: "json" };
import client from "./client.json" with { type: "json" };
import commands from "./commands.json" with { type: "json" };
import config from "./config.json" with { type: "json" };
import contract from "./contract.json" with { type: "json" };
import durable from "./durable.json" with { type: "json" };
import json from "./json.json" with { type: "json" };
import message from "./message.json" with { type: "json" };
import output from "./output.json" with { type: "json" };
import payments from "./payments.json" with { type: "json" };
import prompt from "./prompt.json" with { type: "json" };
import reconcile from "./reconcile.json" with { type: "json" };
import send from "./send.json" with { type: "json" };
import sendCampaign from "./send-campaign.json" with { type: "json" };
import sendParts from "./send-parts.json" with { type: "json" };
import sendReport from "./send-report.json" with { type: "json" };
import session from "./session.json" with { type: "json" };
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
import outputTopic from "./topics/output.txt";
import reliability from "./topics/reliability.txt";
import runs from "./topics/runs.txt";
import sandbox from "./topics/sandbox.txt";
import sending from "./topics/sending.txt";

/** Not one catalog: to copy them into each other takes longer than to load them. */
export const korean: readonly Catalog[] = [
  app,
  cli,
  client,
  commands,
  config,
  contract,
  durable,
  json,
  message,
  output,
  payments,
  prompt,
  reconcile,
  send,
  sendCampaign,
  sendParts,
  sendReport,
  session,
];

/** Pages of `msg help <topic>`. */
export const koreanTopics: Readonly<Record<string, string>> = {
  "exit-codes": exitCodes,
  environment,
  output: outputTopic,
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
