/**
 * Approvals: above a limit of the profile a run is sent from a plan that another person signed. What is signed, with
 * which keys, and for how long it holds.
 */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import * as v from "valibot";
import type { StoredCredentials } from "../../config/credentials.ts";
import type { Settings } from "../../config/settings.ts";
import { dayMs } from "../../contract/time.ts";
import { writeAtomically } from "../../durable/atomic-write.ts";
import { withFileError } from "../../durable/files.ts";
import { invalidValue, MsgError, notFound, shellWord, truncate, usageError } from "../../errors.ts";
import { readJson } from "../../json/read-json.ts";
import { shownTime, t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { stopError } from "../guards/spending.ts";
import { highestCost, wholeSource } from "../parts/part.ts";
import { type Approval, approval as approvalSchema, type RunFile } from "../store/run-file.ts";
import { type RunStore, storeOf } from "../store/run-folder.ts";
import type { ReadPlan } from "./read-plan.ts";

export const approvalMs = dayMs;

/** How far ahead the clock of the approver may be. */
const aheadMs = 5 * 60 * 1000;

/** The digest covers every byte; the number of messages is what the approver typed. */
const payloadOf = (messages: number, { digest, key, date }: Omit<Approval, "signature">): Buffer =>
  Buffer.from(["msg approval 1", digest, messages, key, date].join("\n"));

/** Signs a plan with the key of the profile: the approval is next to it. */
export const approve = async (ctx: Ports, file: string, { header, digest }: ReadPlan) => {
  const { key, secret } = await ownKey(ctx);
  const approved = { digest, key, date: ctx.clock.now().toISOString() };
  const payload = payloadOf(header.run.messages, approved);
  const signature = sign(null, payload, secret).toString("base64url");
  const text = Buffer.from(`${JSON.stringify({ msgapproval: 1, ...approved, signature })}\n`);
  const store = storeOf(ctx);
  writeAtomically(store.files, approvalFile(file), text, store);
  return approved;
};

/** Why an approval does not let the run go out; undefined if it does. */
const approvalProblem = (
  ctx: Ports,
  { plan, messages }: RunFile,
  approval: Approval,
): string | undefined => {
  const { digest, key, date, signature } = approval;
  if (digest !== plan?.digest) return t`its approval belongs to another plan`;
  if (ownPublicKeys(ctx).includes(key))
    return t`it was approved with one of your own keys; another person must approve it`;
  if (!Object.values(ctx.settings.approvers.value).includes(key))
    return t`it was approved with ${key}, which is not an approver of this profile`;
  const signed = Buffer.from(signature, "base64url");
  if (!verify(null, payloadOf(messages, approval), asPublicKey(key), signed))
    return t`its approval was not signed by the key that it names`;
  const ageMs = ctx.clock.now().getTime() - Date.parse(date);
  if (!(ageMs >= -aheadMs)) return t`its approval is dated in the future: ${shownTime(date)}`;
  return ageMs < approvalMs
    ? undefined
    : t`its approval of ${shownTime(date)} is older than 24 hours`;
};

/** Where the approval of a plan is: next to it. */
export const approvalFile = (plan: string): string => `${plan}.approval`;

const stored = v.object({ msgapproval: v.literal(1), ...approvalSchema.entries });

/** The approval next to a plan; undefined if there is none. Throws MsgError (usage) for one that cannot be read. */
export const readApproval = ({ files }: RunStore, plan: string): Approval | undefined => {
  const path = approvalFile(plan);
  if (!files.lstat(path)) return undefined;
  const read = v.safeParse(stored, readJson(withFileError(path, "read", () => files.read(path))));
  if (!read.success || !publicKey.test(read.output.key))
    throw usageError(t`'${path}' is not an approval, or was changed`, {
      code: "ApprovalNotReadable",
      where: path,
      todo: ({ nothing = t`nothing was sent` }) =>
        t`${nothing}; ${t`get it again from the person who approved`}`,
    });
  const { msgapproval: _, ...approval } = read.output;
  return approval;
};

/** The Ed25519 key of the profile, kept with its other secrets; made and stored at its first use. */
export const ownKey = async ({ session, settings, consent }: Ports) => {
  const { config } = session;
  const profile = settings.profile.value;
  const isNew = keyOf(config.readCredentials(), profile) === undefined;
  if (isNew && consent.dryRun)
    throw notFound(t`profile '${profile}' has no key yet`, t`without -n, one is made`);
  if (isNew)
    await config.updateCredentials((now) =>
      // Another process may have made it meanwhile.
      keyOf(now, profile) === undefined
        ? { ...now, approvalKeys: { ...now.approvalKeys, [profile]: newKey() } }
        : now,
    );
  const stored = keyOf(config.readCredentials(), profile);
  if (stored === undefined) throw new MsgError("fault", t`the key of the profile was not stored`);
  session.redact(stored);
  return read(stored);
};

/** The public keys of all profiles of this user: the owner of one of them is the same person. */
const ownPublicKeys = ({ session }: Pick<Ports, "session">): readonly string[] =>
  Object.values(session.config.readCredentials().approvalKeys ?? {}).map((it) => read(it).key);

const keyOf = ({ approvalKeys = {} }: StoredCredentials, profile: string): string | undefined =>
  Object.hasOwn(approvalKeys, profile) ? approvalKeys[profile] : undefined;

const newKey = (): string =>
  generateKeyPairSync("ed25519")
    .privateKey.export({ type: "pkcs8", format: "der" })
    .toString("base64url");

/** The secret, and its public key as approvers are listed: `ed25519:…`. */
const read = (stored: string) => {
  const secret = createPrivateKey({
    key: Buffer.from(stored, "base64url"),
    type: "pkcs8",
    format: "der",
  });
  const { x = "" }: JsonWebKey = createPublicKey(secret).export({ format: "jwk" });
  return { key: `ed25519:${x}`, secret };
};

const publicKey = /^ed25519:[\w-]{43}$/;

/** A public key that was typed. Throws MsgError (usage) for any other text. */
export const readPublicKey = (typed: string): string => {
  if (publicKey.test(typed)) return typed;
  throw invalidValue(
    t`'${truncate(typed, 60)}' is not a public key`,
    t`use what msg profile key prints for the other person: ed25519: and 43 characters`,
  );
};

const asPublicKey = (key: string): KeyObject =>
  createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: key.replace(/^ed25519:/, "") },
    format: "jwk",
  });

/** Throws MsgError (stopped) for a run that needs an approval and has none that holds. */
export const assertApproved = (ctx: Ports, run: RunFile): void => {
  if (!isNeeded(ctx.settings, run)) return;
  const { plan, approval } = run;
  if (!plan) throw notPlannedError(ctx.settings, run);
  assertApprovable(run, plan.file);
  if (!approval)
    throw notApprovedError(plan.file, "ApprovalNeeded", t`it needs the approval of another person`);
  // A run that stopped halfway may have been approved once more since.
  const renewed = () => readApproval(storeOf(ctx), plan.file) ?? approval;
  const problem = approvalProblem(ctx, run, approval) && approvalProblem(ctx, run, renewed());
  if (problem !== undefined) throw notApprovedError(plan.file, "ApprovalInvalid", problem);
};

/** The error of a damaged plan: a stop if approvals are needed, since such bytes cannot have been approved. */
export const damageError = ({ settings }: Ports, error: unknown): unknown => {
  const isDamage = error instanceof MsgError && error.code === "PlanNotReadable";
  if (!isDamage || settings.approval.value !== "required") return error;
  const { message, code, where, todo } = error;
  return new MsgError("stopped", message, { code, where, todo, cause: error });
};

const isNeeded = ({ approval, approvalAbove }: Settings, run: RunFile): boolean => {
  if (approval.value !== "required") return false;
  const above = Number.parseInt(approvalAbove.value, 10);
  if (!approvalAbove.value.endsWith("won")) return wholeSource(run).messages > above;
  const cost = highestCost(run);
  // An unknown price may be any price.
  return cost === undefined || cost > above;
};

/** Throws MsgError (stopped) for a plan that no one can approve. */
export const assertApprovable = ({ claim, account }: RunFile, file: string): void => {
  const reject = (why: string, todo: string): MsgError =>
    stopError({ where: file }, "ApprovalInvalid", why, todo);
  // Nothing at the service shows that such a plan was sent.
  if (claim === undefined)
    throw reject(
      t`a plan made with --direct or --no-tag cannot be approved: other machines could send it again`,
      t`plan again without it`,
    );
  if (account === null)
    throw reject(
      t`a plan that names no account cannot be approved: another account could send it`,
      t`plan again with a key that may read the balance`,
    );
};

const notPlannedError = ({ profile }: Settings, run: RunFile): MsgError =>
  stopError(
    { where: t`run ${run.run}` },
    "ApprovalNeeded",
    t`profile '${profile.value}' sends ${formatMessageCount(wholeSource(run).messages)} only with an approved plan`,
    t`add --plan-out <file>.msgplan, have it approved with msg run approve <file>.msgplan, then send it with --plan: msg help approval`,
  );

const notApprovedError = (file: string, code: string, why: string): MsgError =>
  stopError(
    { where: file },
    code,
    t`the plan cannot be sent: ${why}`,
    t`an approver of this profile runs msg run approve ${shellWord(file)}; put ${approvalFile(file)} next to the plan`,
  );
