/** One person's word for one plan: what is signed, and when it holds. */

import { sign, verify } from "node:crypto";
import * as v from "valibot";
import { type MsgError, usageError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import type { Approval, RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";
import { asPublicKey, isPublicKey, type SigningKey } from "./keys.ts";

const hourMs = 60 * 60 * 1000;

/** How long an approval holds. */
export const approvalMs = 24 * hourMs;

/** How far ahead the clock of who approves may be. */
const aheadMs = 5 * 60 * 1000;

/** What an approval is of: the digest stands for every byte, the rows are what a person typed. */
type Approved = Pick<Approval, "digest" | "key" | "date"> & { readonly messages: number };

const payloadOf = ({ digest, messages, key, date }: Approved): Buffer =>
  Buffer.from(["msg approval 1", digest, messages, key, date].join("\n"));

export const approve = (
  { digest, messages }: Pick<Approved, "digest" | "messages">,
  { key, secret }: SigningKey,
  now: Date,
): Approval => {
  const date = now.toISOString();
  const signature = sign(null, payloadOf({ digest, messages, key, date }), secret);
  return { digest, key, date, signature: signature.toString("base64url") };
};

/** Why an approval does not let the run go out; undefined where it does. `own`: the keys of who sends it. */
export const approvalProblem = (
  { plan, messages }: Pick<RunFile, "plan" | "messages">,
  approval: Approval,
  by: {
    readonly approvers: readonly string[];
    readonly own: readonly string[];
    readonly now: Date;
  },
): string | undefined => {
  const { digest, key, date, signature } = approval;
  if (digest !== plan?.digest) return t`its approval belongs to another plan`;
  if (by.own.includes(key))
    return t`it was approved with one of your own keys; another person must approve it`;
  if (!by.approvers.includes(key))
    return t`it was approved with ${key}, which is not an approver of this profile`;
  const isSigned = verify(
    null,
    payloadOf({ digest, messages, key, date }),
    asPublicKey(key),
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) return t`its approval was not signed by the key that it names`;
  const ageMs = by.now.getTime() - Date.parse(date);
  if (!(ageMs >= -aheadMs)) return t`its approval is dated in the future: ${shownTime(date)}`;
  return ageMs < approvalMs
    ? undefined
    : t`its approval of ${shownTime(date)} is older than 24 hours`;
};

/** Where the approval of a plan is: beside it. */
export const approvalFile = (plan: string): string => `${plan}.approval`;

const stored = v.object({
  msgapproval: v.literal(1),
  ...{ digest: v.string(), key: v.string(), date: v.string(), signature: v.string() },
});

export const approvalText = (approval: Approval): Uint8Array =>
  Buffer.from(`${JSON.stringify({ msgapproval: 1, ...approval })}\n`);

/** The approval beside a plan; undefined where there is none. Throws MsgError (usage) for a file that is none. */
export const readApproval = ({ files }: RunStore, plan: string): Approval | undefined => {
  const path = approvalFile(plan);
  if (!files.lstat(path)) return undefined;
  const read = v.safeParse(stored, parsed(Buffer.from(files.read(path)).toString("utf8")));
  if (!read.success || !isPublicKey(read.output.key)) throw noApproval(path);
  const { digest, key, date, signature } = read.output;
  return { digest, key, date, signature };
};

const noApproval = (path: string): MsgError =>
  usageError(t`'${path}' is not an approval, or was changed`, {
    code: "ApprovalNotReadable",
    where: path,
    todo: t`nothing was sent; get it again from the person who approved`,
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
