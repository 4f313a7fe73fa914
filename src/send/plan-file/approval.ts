/** One person's word for one plan: what is signed, and when it holds. */

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
import { MsgError, truncate, usageError } from "../../errors.ts";
import { shownTime, t } from "../../locale/locale.ts";
import { formatMessageCount } from "../../message/price.ts";
import type { Ports } from "../../ports.ts";
import { stopError } from "../guards/spending.ts";
import { wholeOf } from "../parts/part-flags.ts";
import type { Approval, RunFile } from "../store/run-file.ts";
import type { RunStore } from "../store/run-folder.ts";

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
const approvalProblem = (
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

interface SigningKey {
  /** As approvers are listed: `ed25519:…`. */
  readonly key: string;
  readonly secret: KeyObject;
}

/** The key of the profile; the first time it is made and stored. */
export const ownKey = async ({ session, settings }: Ports): Promise<SigningKey> => {
  const { config } = session;
  const profile = settings.profile.value;
  if (keyOf(config.readCredentials(), profile) === undefined)
    await config.updateCredentials((now) =>
      // Another process may have made it meanwhile.
      keyOf(now, profile) === undefined ? withKey(now, profile, newKey()) : now,
    );
  const stored = keyOf(config.readCredentials(), profile);
  if (stored === undefined) throw new MsgError("fault", t`the key of the profile was not stored`);
  session.redact(stored);
  return read(stored);
};

/** The public keys of all profiles of this user: whoever has one of them is the same person. */
const ownPublicKeys = ({ session }: Pick<Ports, "session">): readonly string[] =>
  Object.values(session.config.readCredentials().approvalKeys ?? {}).map((it) => read(it).key);

/** Under the new name of the profile, or nowhere where it goes. */
export const moveKey = async (
  { session, consent }: Ports,
  from: string,
  to: string | undefined,
): Promise<void> => {
  const { config } = session;
  if (consent.dryRun || keyOf(config.readCredentials(), from) === undefined) return;
  await config.updateCredentials((now) => {
    const key = keyOf(now, from);
    const { [from]: _, ...rest } = now.approvalKeys ?? {};
    return { ...now, approvalKeys: { ...rest, ...(to && key && { [to]: key }) } };
  });
};

const keyOf = ({ approvalKeys = {} }: StoredCredentials, profile: string): string | undefined =>
  Object.hasOwn(approvalKeys, profile) ? approvalKeys[profile] : undefined;

const withKey = (now: StoredCredentials, profile: string, key: string): StoredCredentials => ({
  ...now,
  approvalKeys: { ...now.approvalKeys, [profile]: key },
});

const newKey = (): string =>
  generateKeyPairSync("ed25519")
    .privateKey.export({ type: "pkcs8", format: "der" })
    .toString("base64url");

const read = (stored: string): SigningKey => {
  const secret = createPrivateKey({
    key: Buffer.from(stored, "base64url"),
    type: "pkcs8",
    format: "der",
  });
  const { x = "" }: JsonWebKey = createPublicKey(secret).export({ format: "jwk" });
  return { key: `ed25519:${x}`, secret };
};

const form = /^ed25519:[\w-]{43}$/;

/** Whether a text has the form of a public key. */
const isPublicKey = (text: string): boolean => form.test(text);

/** A key as a person hands it on. Throws MsgError (usage) for a text that is none. */
export const readPublicKey = (typed: string): string => {
  if (isPublicKey(typed)) return typed;
  throw usageError(t`'${truncate(typed, 60)}' is not a public key`, {
    code: "InvalidValue",
    todo: t`use what msg profile key prints for the other person: ed25519: and 43 characters`,
  });
};

/** A public key of that form as Node takes it. */
const asPublicKey = (key: string): KeyObject =>
  createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: key.replace(/^ed25519:/, "") },
    format: "jwk",
  });

/** Throws MsgError (stopped) for a run that needs an approval and has none that holds. */
export const assertApproved = (ctx: Ports, run: RunFile): void => {
  const { settings } = ctx;
  if (!isNeeded(settings, run)) return;
  const { plan, approval } = run;
  if (!plan) throw notPlanned(settings, run);
  assertApprovable(run, plan.file);
  if (!approval)
    throw notApproved(plan.file, "ApprovalNeeded", t`it needs the approval of another person`);
  const problem = approvalProblem(run, approval, {
    approvers: Object.values(settings.approvers.value),
    own: ownPublicKeys(ctx),
    now: ctx.clock.now(),
  });
  if (problem !== undefined) throw notApproved(plan.file, "ApprovalInvalid", problem);
};

/** Where approvals are needed, bytes that no one can have approved are stopped by that. */
export const asUnapproved = ({ settings }: Ports, error: unknown): unknown => {
  const isDamage = error instanceof MsgError && error.code === "PlanNotReadable";
  if (!isDamage || settings.approval.value !== "required") return error;
  const { message, code, where, todo } = error;
  return new MsgError("stopped", message, { code, where, todo, cause: error });
};

const isNeeded = ({ approval, approvalAbove }: Settings, run: RunFile): boolean => {
  const { messages, price, fallbackPrice = 0 } = wholeOf(run);
  if (approval.value !== "required") return false;
  const above = Number.parseInt(approvalAbove.value, 10);
  if (!approvalAbove.value.endsWith("won")) return messages > above;
  // A price that is not known may be any.
  return price === null || price + fallbackPrice > above;
};

/** Throws MsgError (stopped) for a plan that no one can approve. */
export const assertApprovable = (run: Pick<RunFile, "claim" | "account">, file: string): void => {
  const lack = lackOf(run);
  if (lack) throw stopError({ where: file }, "ApprovalInvalid", ...lack);
};

/** Why no one can approve a plan, and what helps: others could send it again, or out of another account. */
const lackOf = ({
  claim,
  account,
}: Pick<RunFile, "claim" | "account">): readonly [why: string, todo: string] | undefined => {
  // Nothing at the service tells that such a plan was sent.
  if (claim === undefined)
    return [
      t`a plan made with --direct or --no-tag cannot be approved: other machines could send it again`,
      t`plan again without it`,
    ];
  if (account !== null) return undefined;
  return [
    t`a plan that names no account cannot be approved: another account could send it`,
    t`plan again with a key that may read the balance`,
  ];
};

const notPlanned = ({ profile }: Settings, run: RunFile): MsgError =>
  stopError(
    { where: t`run ${run.run}` },
    "ApprovalNeeded",
    t`profile '${profile.value}' sends ${formatMessageCount(wholeOf(run).messages)} only with an approved plan`,
    t`add --plan-out <file>.msgplan, have it approved with msg run approve <file>.msgplan, then send it with --plan: msg help approval`,
  );

const notApproved = (file: string, code: string, why: string): MsgError =>
  stopError(
    { where: file },
    code,
    t`the plan cannot be sent: ${why}`,
    t`an approver of this profile runs msg run approve ${file}; put ${file}.approval next to the plan`,
  );
