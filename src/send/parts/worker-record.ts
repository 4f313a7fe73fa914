/** What is shown of a source and its workers, and what names one: little, since `run show` loads it for any run. */
import { kebab } from "../../contract/fields.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";

/** What one worker has sent; `all` is the sum of them. */
export interface WorkerRecord {
  readonly worker: string;
  readonly state: string;
  readonly runs: readonly string[];
  readonly groups: readonly string[];
  readonly messages: number;
  readonly accepted: number;
  readonly refused: number;
  readonly scheduled: number;
  readonly notSent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly cost: number;
}

export const workerColumns = [
  ...(["worker", "state", "messages", "accepted", "refused", "scheduled", "notSent"] as const),
  ...(["delivered", "failed", "pending", "cost"] as const),
  { name: "runs", value: ({ runs }: WorkerRecord) => runs.join(" ") },
] as const;

export const workerFields: readonly (keyof WorkerRecord)[] = [
  ...(["worker", "state", "runs", "groups", "messages", "accepted", "refused"] as const),
  ...(["scheduled", "notSent", "delivered", "failed", "pending", "cost"] as const),
];

/** The run that is named, or the source. Throws MsgError (usage) where both were, or neither. */
export const oneOf = (run: string | undefined, source: string | undefined): string => {
  const named = run ?? source;
  if (named !== undefined && (run ?? "") + (source ?? "") === named) return named;
  throw usageError(
    named === undefined
      ? t`msg run show needs a run, or --source`
      : t`--source and a run exclude each other`,
    {
      code: named === undefined ? "MissingValue" : "InvalidUsage",
      todo: t`name a run by its id, or last; --source <file> adds up what all workers sent of a source`,
    },
  );
};

/** What a source was sent with is about a source alone. */
export const assertNone = (flags: object): void => {
  const other = Object.entries(flags).find(([, value]) => value !== undefined);
  if (other === undefined) return;
  throw usageError(t`--${kebab(other[0])} is about a source, not about a run`, {
    code: "InvalidUsage",
    todo: t`name the source: msg run show --source <file>`,
  });
};
