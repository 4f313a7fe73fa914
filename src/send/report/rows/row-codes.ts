/** What the service says of the messages of a run: by which code each was refused, or has not arrived. */

import type { StoredMessage } from "../../../contract/message-records.ts";
import { listMessages } from "../../../contract/messages.ts";
import { usageError } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import type { Ports } from "../../../ports.ts";
import { isRefused } from "../../protocol/outcomes.ts";
import type { State } from "../../protocol/state.ts";
import { acceptedGroups, recipientOf, rowIn, rowOutcomeOf } from "../../store/row-outcomes.ts";
import type { RunFile } from "../../store/run-file.ts";
import { summarize } from "../../store/summary.ts";

/** Which message it is: its row and its recipient; of an untagged run the recipient alone. */
const keyOf = (message: object): string => `${rowIn(message) ?? ""} ${recipientOf(message)}`;

interface Refused {
  readonly code: string;
  /** A row may name a number twice, and one of the two be refused as the other's duplicate. */
  left: number;
}
type Codes = Map<string, Refused>;

const noCodes: Codes = new Map();

/** The code of a message that was refused; of several equal ones, of as many as were. */
export const takeCode = (codes: Codes, message: object): string | undefined => {
  const found = codes.get(keyOf(message));
  if (!found || found.left === 0) return undefined;
  found.left -= 1;
  return found.code;
};

export interface CodesOptions {
  /**
   * Each group is read when its rows come: those of all groups are not held. Only for what is whole or not at all:
   * rows that were shown before an error may be fed back.
   */
  readonly byGroup?: boolean;
}

interface Wanted extends CodesOptions {
  /** Also of what has not arrived. */
  readonly wantsDelivery: boolean;
}

/** Codes of a part that was taken. */
type CodesOfPart = (at: number) => Promise<Codes>;

export const readCodes = async (
  ctx: Ports,
  run: RunFile,
  state: State | undefined,
  { wantsDelivery, byGroup }: Wanted,
): Promise<CodesOfPart> => {
  if (!wantsDelivery && summarize(run, state).refused === 0) return async () => noCodes;
  const isMixed = !run.tagged || (state?.taken.length ?? 0) > 0;
  if (byGroup && !isMixed) return codesByGroup(ctx, run, state, wantsDelivery);
  const codes = await codesOf(ctx, run, acceptedGroups(run, state), wantsDelivery);
  return async () => codes;
};

/** Those of a group are held from its first part to its last. */
const codesByGroup = (
  ctx: Ports,
  run: RunFile,
  state: State | undefined,
  wantsDelivery: boolean,
): CodesOfPart => {
  const groupOf = (at: number): string => {
    const outcome = rowOutcomeOf(state, at);
    return outcome.type === "taken" ? outcome.group : "";
  };
  const last = new Map([...run.chunks.keys()].map((at) => [groupOf(at), at]));
  const held = new Map<string, Codes>();
  return async (at) => {
    const group = groupOf(at);
    // A list without its group would be that of all messages.
    if (group === "") return noCodes;
    const codes = held.get(group) ?? (await codesOf(ctx, run, [group], wantsDelivery));
    if (last.get(group) === at) held.delete(group);
    else held.set(group, codes);
    return codes;
  };
};

const codesOf = async (
  ctx: Ports,
  run: RunFile,
  groups: readonly string[],
  all: boolean,
): Promise<Codes> => {
  const codes: Codes = new Map();
  const taken = new Set<string>();
  const replaced = new Map<string, string>();
  const client = await ctx.session.client();
  const sort = (it: StoredMessage): void => {
    const key = keyOf(it);
    // Sent in place of another, which was accepted.
    if (it.replacement) {
      replaced.set(key, it.statusCode);
      return;
    }
    if (isRefused(it) || (all && it.statusCode !== "4000"))
      codes.set(key, { code: it.statusCode, left: (codes.get(key)?.left ?? 0) + 1 });
    else if (!run.tagged) taken.add(key);
  };
  for (const groupId of groups)
    for await (const page of client.pages(listMessages, { query: { groupId } }))
      for (const it of page.rows) sort(it);
  // What came in its place decides what became of a row.
  for (const [key, code] of all ? replaced : []) {
    if (code === "4000") codes.delete(key);
    else if (codes.has(key)) codes.set(key, { code, left: 1 });
  }
  const both = [...codes.keys()].find((key) => taken.has(key));
  if (both !== undefined) throw cannotTell(run, both.trim());
  return codes;
};

/** Without correlation ids messages to one recipient look the same: sent anew, the accepted ones would go twice. */
const cannotTell = ({ run }: RunFile, to: string): Error =>
  usageError(t`msg cannot tell which message to ${to} was refused: the run used --no-tag`, {
    code: "CannotTell",
    where: t`run ${run}`,
    todo: t`nothing was sent; msg message list --group-id <id> --all shows them with their texts`,
  });
