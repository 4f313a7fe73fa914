/**
 * Whether an answer belongs to its request if no id of the request says so (the client checks those that do):
 * something between here and the service may hand out the answer to another one. A member that differs
 * contradicts; one that is absent does not.
 */
import type { Group, SendResult } from "../../contract/message-records.ts";
import { memberOf } from "../../json/read-json.ts";
import { firstRecipient } from "../reconcile/send-evidence.ts";
import type { RunFile } from "../store/run-file.ts";

/** The result of a message of this run in this group. */
export const isAddedTo = (result: Partial<SendResult>, id: string, run: RunFile): boolean =>
  agrees(result.groupId, id) && isOfRun(result, run);

/** The answer to a call for one message names its recipient. */
export const isSentTo = ({ to }: Partial<SendResult>, body: Uint8Array): boolean => {
  const recipient = firstRecipient(body);
  return recipient === undefined || agrees(to, recipient);
};

/** The group that a call for many messages made: it carries the name of the program that sent it. */
export const isOfCall = (
  { sdkVersion, customFields }: Partial<Pick<Group, "sdkVersion" | "customFields">>,
  run: RunFile,
  chunk: number,
): boolean => {
  const expected = run.agent?.sdkVersion ?? callName(run.run, run.chunks[chunk]?.first ?? 0);
  return agrees(sdkVersion, expected) && isOfRun({ customFields }, run);
};

/** What a call for many messages carries as its `agent.sdkVersion`: run and first row identify it. */
export const callName = (run: string, firstRow: number): string => `msg ${run} ${firstRow}`;

/** A group, or the result of a message, of this run. */
export const isOfRun = (
  { customFields }: Partial<Pick<Group | SendResult, "customFields">>,
  { run, tagged }: RunFile,
): boolean => !tagged || agrees(memberOf(customFields, "msg.run"), run);

const agrees = (given: unknown, expected: string): boolean =>
  given === undefined || given === null || given === expected;
