/**
 * Calls that may have moved money, kept from before they leave until their outcome is known: one
 * private file each, without a secret.
 */
import { join } from "node:path";
import * as v from "valibot";
import { howToCheck } from "../client/answers/outcome.ts";
import type { Attempt } from "../client/client.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { removeQuietly, writeAtomically } from "../durable/atomic-write.ts";
import { systemCode } from "../durable/failure.ts";
import type { Files } from "../durable/files.ts";
import { ensurePrivateDir } from "../durable/private-dir.ts";
import type { Ports } from "../ports.ts";
import { newRunId } from "../send/store/run-folder.ts";
import { storeOf } from "../send/store/run-store.ts";
import { amountOf } from "./evidence/capture-evidence.ts";
import { type Evidence, evidence } from "./evidence/payment-evidence.ts";
import { paymentsFolder } from "./payment-folder.ts";

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
  /** The process that is at work on it; null once that has given it up. */
  owner: v.nullable(v.string()),
  profile: v.string(),
  host: v.nullable(v.string()),
  /** The last four characters of the key. */
  key: v.nullable(v.string()),
  /** What a person can do. */
  todo: v.string(),
  /** The second factor's transaction: it is used once, so that the same one cannot do it twice. */
  transaction: v.nullable(v.string()),
  sought: v.nullable(evidence),
});

export type PaymentRecord = v.InferOutput<typeof paymentRecord>;

/** A doubt with the name of its file. */
export interface StoredPayment {
  readonly file: string;
  readonly doubt: PaymentRecord;
}

/** One call's record. */
export interface RecordedCall {
  /** Returns when it is on the disk. Throws MsgError (usage): then the attempt must not leave. */
  readonly begin: (attempt: Attempt) => void;
  /** It is known what became of the call. */
  readonly end: () => void;
  /** It stays in doubt, and this process does no more about it. */
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
  const held: { file?: string; doubt?: PaymentRecord } = {};
  const write = (content: PaymentRecord): void => {
    const folder = paymentsFolder(ctx);
    if (held.file === undefined) ensurePrivateDir(store.files, folder, store.user);
    held.file ??= join(folder, `${newRunId(started, ctx.environment.random)}.json`);
    held.doubt = content;
    writeAtomically(store.files, held.file, Buffer.from(`${JSON.stringify(content)}\n`), store);
  };
  return {
    begin: ({ signature, wire }) =>
      write({
        ...{ version: 1, command, ...callerOf(ctx), owner: store.processes.self },
        amount: (evidence && amountOf(evidence)) ?? null,
        started: started.toISOString(),
        signed: signature?.date ?? null,
        signedAt: ctx.clock.now().toISOString(),
        todo: howToCheck(endpoint, started, wire.target),
        transaction: transaction ?? null,
        sought: evidence ?? null,
      }),
    end: () => {
      if (held.file !== undefined) removeQuietly(store.files, held.file);
      delete held.file;
    },
    // Where it cannot be written: once this process is gone, nobody is at work on it either.
    leave: () => {
      const { file, doubt: content } = held;
      if (file !== undefined && content) quietly(() => write({ ...content, owner: null }));
    },
  };
};

const quietly = (action: () => void): void => {
  try {
    action();
  } catch {
    return;
  }
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

/** The same profile, and still the same account: only then does looking say anything. */
export const isSameCaller = (ctx: Ports, { host, key }: PaymentRecord): boolean => {
  const here = callerOf(ctx);
  return here.host === host && here.key === key;
};

/** The doubts of this profile that no process is at work on, oldest first. */
export const listOpenPayments = (ctx: Ports): readonly StoredPayment[] => {
  const { processes } = storeOf(ctx);
  return listPaymentRecords(ctx).filter(
    ({ doubt: { owner } }) => owner === null || processes.isLeftover(owner),
  );
};

/** All of them: for who makes the same payment alone, those of other processes are over. */
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
      const read = v.safeParse(paymentRecord, parsed(textOf(files, file)));
      return read.success ? [{ file, doubt: read.output }] : [];
    })
    .filter((it) => it.doubt.profile === ctx.settings.profile.value);
};

/** Written anew, by whoever has found out more. */
export const rewritePayment = (
  ctx: Ports,
  { file }: StoredPayment,
  content: PaymentRecord,
): void => {
  const store = storeOf(ctx);
  writeAtomically(store.files, file, Buffer.from(`${JSON.stringify(content)}\n`), store);
};

/** It was told what became of it. */
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

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
