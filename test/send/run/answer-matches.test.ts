/** Whether the answer to a call for many messages is its own. */
import { expect, test } from "vitest";
import { isOfCall } from "../../../src/send/run/answer-matches.ts";
import { run, runFile } from "./seven-rows.ts";

test.each([
  ["the run's own mark", { "msg.run": run }, true],
  ["no mark", {}, true],
  ["the mark of another run", { "msg.run": "20260105-180000000-000001" }, false],
])("a group with the program's name that all runs have in common, and %s", (_, fields, isOwn) => {
  const agent = { sdkVersion: "shop 1.0" };
  const group = { ...agent, customFields: fields };
  expect(isOfCall(group, { ...runFile, agent }, 0)).toBe(isOwn);
});
