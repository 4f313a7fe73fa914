/** Earlier calls that got no answer: reported when a command that moves money starts, and not made a second time. */

import { quietly } from "../durable/files.ts";
import { MsgError } from "../errors.ts";
import { joinSentences, shownTime, t } from "../locale/locale.ts";
import { sanitize } from "../output/text/safe.ts";
import type { Ports } from "../ports.ts";
import { howToVerify } from "../send/reconcile/resolve-request.ts";
import { decidableFrom, isExpired } from "../send/run/clocks.ts";
import {
  type Evidence,
  findEvidence,
  isFindable,
  isSamePayment,
  movesMoney,
} from "./payment-evidence.ts";
import {
  assertReadable,
  forgetPayment,
  isSameCaller,
  listOpenPayments,
  listPaymentRecords,
  type PaymentRecord,
  paymentsFolder,
  writePayment,
} from "./payment-records.ts";

/** Whether any profile has open payments, as far as can be seen: without a home they have no folder. */
export const hasOpenPayments = (ctx: Ports): boolean =>
  quietly(() => ctx.environment.files.list(paymentsFolder(ctx)).length > 0) ?? false;

/**
 * Looks for each call and reports it; one whose outcome is now known is forgotten. Nothing is repeated,
 * and `--quiet` does not silence it. If the command itself `pays`, a call that was done is kept: an
 * operator who repeats a payment because its outcome was unknown has not read this yet.
 */
export const reportPayments = async (ctx: Ports, pays: boolean): Promise<void> => {
  if (!hasOpenPayments(ctx)) return;
  for (const { file } of listOpenPayments(ctx)) {
    // Read again: evidence for one of them is no evidence for the next.
    const stored = listOpenPayments(ctx).find((it) => it.file === file);
    if (!stored) continue;
    const { record } = stored;
    const { verdict, row } = await judge(ctx, record);
    const said = [`${nameOf(record)}: ${describe(record, verdict)}`];
    // This caller cannot look: without a word on its file it would be reported forever.
    if (!isSameCaller(ctx, record))
      said.push(
        t`it was made with another key, or at another host; remove ${file} when its outcome is certain`,
      );
    await ctx.io.err.write(`${sanitize(said.join("; "))}\n`);
    if (verdict === "open") continue;
    if (verdict === "done" && pays) writePayment(ctx, { file, record: { ...record, done: true } });
    else forgetPayment(ctx, stored);
    if (row !== undefined && movesMoney(record.evidence)) claimRow(ctx, record.evidence, row);
  }
};

/** A row explains one call: for the other findable calls only newer rows count. */
const claimRow = (ctx: Ports, evidence: Parameters<typeof isSamePayment>[0], row: string): void => {
  for (const { file, record } of listOpenPayments(ctx))
    if (isSamePayment(evidence, record.evidence) && isFindable(record.evidence)) {
      const after = { ...record.evidence, after: row };
      writePayment(ctx, { file, record: { ...record, evidence: after } });
    }
};

type Verdict = "done" | "not done" | "open";

const judge = async (
  ctx: Ports,
  record: PaymentRecord,
): Promise<{ readonly verdict: Verdict; readonly row?: string | undefined }> => {
  const { evidence, signed } = record;
  if (evidence === null || !isSameCaller(ctx, record)) return { verdict: "open" };
  if (record.done) return { verdict: "done" };
  const client = await ctx.session.client();
  try {
    const found = await findEvidence(client, evidence);
    if (found) return { verdict: "done", row: found.row };
  } catch (error) {
    if (error instanceof MsgError && error.kind !== "interrupted") return { verdict: "open" };
    throw error;
  }
  if (signed === null) return { verdict: "open" };
  const signature = { date: signed, salt: "", key: record.key ?? undefined };
  const passedMs = ctx.clock.now().getTime() - Date.parse(record.signedAt);
  return { verdict: isExpired(signature, client.clock, passedMs) ? "not done" : "open" };
};

const nameOf = ({ command, amount, started }: PaymentRecord): string =>
  amount === null
    ? t`msg ${command} of ${shownTime(started)} got no answer`
    : t`msg ${command} (${amount}) of ${shownTime(started)} got no answer`;

const describe = ({ signed, check }: PaymentRecord, verdict: Verdict): string => {
  if (verdict === "done") return t`it was done, as the account shows`;
  if (verdict === "not done") return t`it was not done, and can no longer be done`;
  const shown = t`do not run it again before you have checked: ${check}`;
  const look = howToVerify({ deed: "done", check: shown, signed: signed ?? undefined });
  return t`its outcome is still unknown; ${look}`;
};

/**
 * Records exist to prevent the same payment a second time while the outcome of the first is unknown:
 * two could not be distinguished. The same transaction of a second factor may come again: it is used
 * once. Throws MsgError (stopped), or usage if a record cannot be read.
 */
export const rejectDouble = (
  ctx: Ports,
  again: boolean,
  evidence: Evidence | undefined,
  transaction: string | undefined,
): void => {
  if (!movesMoney(evidence)) return;
  const same = listPaymentRecords(ctx).filter((it) => isSamePayment(evidence, it.record.evidence));
  if (again) {
    // What another key has left open may be of another account.
    for (const it of same) if (isSameCaller(ctx, it.record)) forgetPayment(ctx, it);
    return;
  }
  assertReadable(ctx);
  const done = same.find(({ record }) => record.done && isSameCaller(ctx, record));
  if (done) throw doneBeforeError(done.record);
  const open = same.find((it) => it.record.transaction !== transaction);
  if (open) throw stillUnknownError(open.record);
};

const doneBeforeError = ({ started }: PaymentRecord): MsgError => {
  const what = t`the same call of ${shownTime(started)} was done, as the account shows: nothing was sent now`;
  return new MsgError("stopped", what, {
    code: "DoneBefore",
    todo: t`if another one is meant: --again; or run msg balance first`,
  });
};

/** An earlier call with the same transaction was this one. */
export const forgetSame = (ctx: Ports, transaction: string | undefined): void => {
  if (transaction === undefined) return;
  for (const it of listOpenPayments(ctx))
    if (it.record.transaction === transaction) forgetPayment(ctx, it);
};

const stillUnknownError = ({ started, signed, check }: PaymentRecord): MsgError => {
  const decided =
    signed === null ? [] : [t`its outcome is certain after ${shownTime(decidableFrom(signed))}`];
  return new MsgError(
    "stopped",
    t`the outcome of the same call of ${shownTime(started)} is still unknown: nothing was sent`,
    {
      code: "InDoubt",
      todo: joinSentences([t`see it with ${check}`, ...decided, t`--again makes this call anyway`]),
    },
  );
};
