/**
 * Calls that may have moved money, kept from before they leave until their outcome is known: one
 * private file for each, without a secret.
 */

import { hash } from "node:crypto";
import { join } from "node:path";
import * as v from "valibot";
import type { Attempt } from "../client/client.ts";
import { wasRehearsed } from "../config/settings.ts";
import { ensurePrivateDir, removeQuietly, writeAtomically } from "../durable/atomic-write.ts";
import { quietly, systemCode, withFileError } from "../durable/files.ts";
import { type Busy, withExclusiveLock } from "../durable/lease.ts";
import { MsgError, usageError } from "../errors.ts";
import { readJson } from "../json/read-json.ts";
import { inEnglish, t, translated } from "../locale/locale.ts";
import { formatWon } from "../message/price.ts";
import type { Ports } from "../ports.ts";
import { newRunId, storeOf } from "../send/store/run-folder.ts";
import { signingKeyTail } from "../session/stored-credentials.ts";
import type { Payment } from "./evidence-table.ts";
import { type Evidence, evidence, movesMoney } from "./payment-evidence.ts";

/** Where the records of all profiles are kept. */
export const paymentsFolder = ({ environment }: Pick<Ports, "environment">): string =>
  join(environment.stateFolder(), "doubts");

const paymentRecord = v.object({
  version: v.literal(1),
  /** The command: `balance charge`. */
  command: v.string(),
  amount: v.nullable(v.string()),
  started: v.string(),
  /** The date that it was signed with; null if a token proved who called. */
  signed: v.nullable(v.string()),
  /** When that was, by this machine's clock: the date itself lies before it. */
  signedAt: v.string(),
  /** The process that works on it; null after it has given up. */
  owner: v.nullable(v.string()),
  profile: v.string(),
  host: v.nullable(v.string()),
  /** The last four characters of the key. */
  key: v.nullable(v.string()),
  /** The command that shows whether the call was executed. */
  check: v.string(),
  /** The second factor's transaction: it is used once, so that the same one cannot do it twice. */
  transaction: v.nullable(v.string()),
  evidence: v.nullable(evidence),
  /** The account shows that it was done, but only a command that pays said so: it is not repeated. */
  done: v.optional(v.boolean()),
});

export type PaymentRecord = v.InferOutput<typeof paymentRecord>;

export interface StoredPayment {
  readonly file: string;
  readonly record: PaymentRecord;
}

export interface RecordedCall {
  /** Returns when it is on the disk. Throws MsgError (usage): then the attempt must not leave. */
  readonly begin: (attempt: Attempt) => void;
  /** The outcome of the call is known. */
  readonly end: () => void;
  /** It stays unknown, and this process does no more about it. */
  readonly leave: () => void;
}

/** Writes nothing until the first attempt. */
export const recordCall = (
  ctx: Ports,
  command: string,
  check: string,
  evidence: Evidence | undefined,
  transaction: string | undefined,
): RecordedCall => {
  const started = ctx.clock.now();
  let stored: StoredPayment | undefined;
  const write = (record: PaymentRecord): void => {
    stored = { file: stored?.file ?? newFile(ctx, started), record };
    writePayment(ctx, stored);
  };
  return {
    begin: ({ signature }) =>
      write({
        version: 1,
        command,
        ...callerOf(ctx),
        owner: storeOf(ctx).processes.self,
        amount: movesMoney(evidence) ? inEnglish(() => formatWon(evidence.amount)) : null,
        started: started.toISOString(),
        signed: signature?.date ?? null,
        signedAt: ctx.clock.now().toISOString(),
        check,
        transaction: transaction ?? null,
        evidence: evidence ?? null,
      }),
    end: () => {
      if (stored) forgetPayment(ctx, stored);
      stored = undefined;
    },
    leave: () => {
      const record = stored?.record;
      // After this process has ended, its record counts as given up, too.
      if (record) quietly(() => write({ ...record, owner: null }));
    },
  };
};

const newFile = (ctx: Ports, started: Date): string =>
  join(paymentsFolder(ctx), `${newRunId(started, ctx.environment.random)}.json`);

/** The caller, as far as it may be stored. */
const callerOf = (ctx: Ports): Pick<PaymentRecord, "profile" | "host" | "key"> => ({
  profile: ctx.settings.profile.value,
  host: ctx.settings.baseUrl.value ?? null,
  key: signingKeyTail(ctx) ?? null,
});

/** Whether the account is the same: only then does looking prove anything. */
export const isSameCaller = (ctx: Ports, { host, key }: PaymentRecord): boolean => {
  const here = callerOf(ctx);
  return here.host === host && here.key === key;
};

/** The records of this profile that no process works on, oldest first. */
export const listOpenPayments = (ctx: Ports): readonly StoredPayment[] => {
  const { processes } = storeOf(ctx);
  return listPaymentRecords(ctx).filter(
    ({ record: { owner } }) => owner === null || processes.isLeftover(owner),
  );
};

/** All records of the profile: a process that alone makes this payment has no one to wait for. */
export const listPaymentRecords = (ctx: Ports): readonly StoredPayment[] =>
  readRecords(ctx).flatMap(({ file, record }) =>
    record && isOfProfile(ctx, record) ? [{ file, record }] : [],
  );

/**
 * A profile that was renamed, or a second one with the same key, pays from the same account; a sandbox that the
 * profile rehearses at does not.
 */
const isOfProfile = (ctx: Ports, record: PaymentRecord): boolean => {
  const here = { ...callerOf(ctx), baseUrl: callerOf(ctx).host };
  const its = { ...record, baseUrl: record.host };
  if (wasRehearsed(here, its) || wasRehearsed(its, here)) return false;
  return record.profile === here.profile || (record.key !== null && isSameCaller(ctx, record));
};

/** Throws MsgError (usage) for an unreadable record of any owner: it may be for the same payment. */
export const assertReadable = (ctx: Ports): void => {
  const damaged = readRecords(ctx).find(({ record }) => record === undefined);
  if (!damaged) return;
  const what = t`the record of an earlier call cannot be read: it may be about the same payment`;
  throw usageError(what, {
    code: "RecordNotReadable",
    where: damaged.file,
    todo: t`nothing was sent; see what was done with msg balance history, then remove the file; --again makes this call anyway`,
  });
};

/** A record is undefined if it is damaged or from a newer msg. */
const readRecords = (ctx: Ports) => {
  const { files } = storeOf(ctx);
  const folder = paymentsFolder(ctx);
  const all = withFileError(folder, "read", () => (files.lstat(folder) ? files.list(folder) : []));
  const names = all.filter((name) => /^[\w-]+\.json$/.test(name));
  return names.sort().flatMap((name) => {
    const file = join(folder, name);
    try {
      const read = v.safeParse(paymentRecord, readJson(files.read(file)));
      return [{ file, record: read.success ? read.output : undefined }];
    } catch (error) {
      // Another process has just removed it: that call's outcome is known.
      return systemCode(error) === "ENOENT" ? [] : [{ file, record: undefined }];
    }
  });
};

/** Creates the record, or replaces it. Throws MsgError (usage). */
export const writePayment = (ctx: Ports, { file, record }: StoredPayment): void => {
  const store = storeOf(ctx);
  ensurePrivateDir(store.files, paymentsFolder(ctx), store.user);
  writeAtomically(store.files, file, Buffer.from(`${JSON.stringify(record)}\n`), store);
};

/** Removes a record whose outcome is known and was reported. */
export const forgetPayment = (ctx: Ports, { file }: StoredPayment): void =>
  removeQuietly(storeOf(ctx).files, file);

/**
 * Runs `action` while no other process of this user makes the same payment for the same caller: two at
 * once could each mistake the other's entry in the ledger for its own. A call that moves no money need
 * not wait. Throws MsgError (stopped) before anything is sent if another process is at it.
 */
export const withPaymentLock = async <T>(
  ctx: Ports,
  payment: Payment | undefined,
  action: (assertAlone: () => void) => Promise<T>,
): Promise<T> => {
  if (payment === undefined) return action(() => undefined);
  const store = storeOf(ctx);
  const folder = paymentsFolder(ctx);
  ensurePrivateDir(store.files, folder, store.user);
  const path = join(folder, `${lockName(ctx, payment)}.lock`);
  const onBusy = ({ isBeating, holder }: Busy): void => {
    if (isBeating || ctx.signal.aborted) throw inUseError(payment, holder);
  };
  return withExclusiveLock(store.files, path, { ...store, onBusy }, ({ assertOwned }) =>
    action(assertOwned),
  );
};

/** The same name for two payments that would look the same: by amount and payer, never by card. */
const lockName = (ctx: Ports, payment: Payment): string => {
  const { host, key } = callerOf(ctx);
  const text = JSON.stringify([host, key, payment]);
  return hash("sha256", text).slice(0, 16);
};

const inUseError = ({ in: kind, amount }: Payment, holder: string): MsgError =>
  new MsgError(
    "stopped",
    t`another msg (process ${holder}) is working on ${translated(kind)} of ${amount} won: nothing was sent`,
    {
      code: "PaymentInUse",
      todo: t`wait until it ends, check what it did, and run this again if it is another payment`,
    },
  );
