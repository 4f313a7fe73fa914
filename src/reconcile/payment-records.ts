/**
 * Calls that may have moved money, kept from before they leave until their outcome is known: one
 * private file each, without a secret.
 */

import { join } from "node:path";
import * as v from "valibot";
import type { Attempt } from "../client/client.ts";
import { checkFor, howToCheck } from "../client/outcome.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { ensurePrivateDir, removeQuietly, writeAtomically } from "../durable/atomic-write.ts";
import { type Files, quietly, systemCode } from "../durable/files.ts";
import { inEnglish } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";
import { newRunId } from "../send/store/run-folder.ts";
import { storeOf } from "../send/store/run-store.ts";
import { amountOf } from "./capture-evidence.ts";
import { type Evidence, evidence } from "./payment-evidence.ts";

/** Where they are kept, of all profiles. */
export const paymentsFolder = ({
  environment: { stateFolder },
}: Pick<Ports, "environment">): string => join(stateFolder(), "doubts");

const paymentRecord = v.object({
  version: v.literal(1),
  /** The command: `balance charge`. */
  command: v.string(),
  amount: v.nullable(v.string()),
  started: v.string(),
  /** The date that it was signed with; null where a token proved who called. */
  signed: v.nullable(v.string()),
  /** When that was, by this machine's clock: the date itself lies before it. */
  signedAt: v.optional(v.string()),
  /** The process that works on it; null once that has given it up. */
  owner: v.nullable(v.string()),
  profile: v.string(),
  host: v.nullable(v.string()),
  /** The last four characters of the key. */
  key: v.nullable(v.string()),
  /** What a person can do. */
  todo: v.string(),
  /** The command in it that shows whether the call was executed. */
  check: v.optional(v.string()),
  /** The second factor's transaction: it is used once, so that the same one cannot do it twice. */
  transaction: v.nullable(v.string()),
  sought: v.nullable(evidence),
});

export type PaymentRecord = v.InferOutput<typeof paymentRecord>;

/** A record with the name of its file. */
export interface StoredPayment {
  readonly file: string;
  readonly record: PaymentRecord;
}

/** One call's record. */
export interface RecordedCall {
  /** Returns when it is on the disk. Throws MsgError (usage): then the attempt must not leave. */
  readonly begin: (attempt: Attempt) => void;
  /** It is known what became of the call. */
  readonly end: () => void;
  /** It stays unknown, and this process does no more about it. */
  readonly leave: () => void;
}

/** Writes nothing until the first attempt. */
export const recordCall = (
  ctx: Ports,
  command: string,
  endpoint: Endpoint,
  evidence: Evidence | undefined,
  transaction: string | undefined,
): RecordedCall => {
  const store = storeOf(ctx);
  const started = ctx.clock.now();
  let held: { file?: string; record?: PaymentRecord } = {};
  const write = (content: PaymentRecord): void => {
    const folder = paymentsFolder(ctx);
    ensurePrivateDir(store.files, folder, store.user);
    held.file ??= join(folder, `${newRunId(started, ctx.environment.random)}.json`);
    held.record = content;
    rewritePayment(ctx, held.file, content);
  };
  return {
    begin: ({ signature, wire }) =>
      write({
        ...{ version: 1, command, ...callerOf(ctx), owner: store.processes.self },
        amount: (evidence && inEnglish(() => amountOf(evidence))) ?? null,
        ...{ started: started.toISOString(), signed: signature?.date ?? null },
        signedAt: ctx.clock.now().toISOString(),
        todo: inEnglish(() => howToCheck(endpoint, started, wire.target)),
        check: inEnglish(() => checkFor(endpoint, started, wire.target)),
        ...{ transaction: transaction ?? null, sought: evidence ?? null },
      }),
    end: () => {
      if (held.file !== undefined) removeQuietly(store.files, held.file);
      held = {};
    },
    leave: () => {
      const { record } = held;
      // Once this process is gone its record counts as given up, too.
      if (record) quietly(() => write({ ...record, owner: null }));
    },
  };
};

/** Who calls, as far as it may be written down. */
export const callerOf = ({ settings }: Ports): Pick<PaymentRecord, "profile" | "host" | "key"> => {
  const credentials = settings.credentials.value;
  return {
    profile: settings.profile.value,
    host: settings.baseUrl.value ?? null,
    key: credentials?.kind === "key" ? credentials.apiKey.slice(-4) : null,
  };
};

/** The same account: only then does looking prove anything. */
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

/** All of the profile: for a process that makes the same payment alone, those of others are over. */
export const listPaymentRecords = (ctx: Ports): readonly StoredPayment[] => {
  const { files } = storeOf(ctx);
  const folder = paymentsFolder(ctx);
  if (!files.lstat(folder)) return [];
  return files
    .list(folder)
    .filter((name) => /^[\w-]+\.json$/.test(name))
    .sort()
    .flatMap((name) => {
      const file = join(folder, name);
      const text = textOf(files, file);
      const read = v.safeParse(
        paymentRecord,
        quietly(() => JSON.parse(text)),
      );
      return read.success ? [{ file, record: read.output }] : [];
    })
    .filter((it) => it.record.profile === ctx.settings.profile.value);
};

/** Writes what was found out since in place of a record. */
export const rewritePayment = (ctx: Ports, file: string, record: PaymentRecord): void => {
  const store = storeOf(ctx);
  writeAtomically(store.files, file, Buffer.from(`${JSON.stringify(record)}\n`), store);
};

/** It was reported what became of it. */
export const forgetPayment = (ctx: Ports, { file }: StoredPayment): void =>
  removeQuietly(storeOf(ctx).files, file);

/** Empty where another process has just removed it: then it is known what became of that call. */
const textOf = (files: Files, file: string): string => {
  try {
    return Buffer.from(files.read(file)).toString("utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  }
};
