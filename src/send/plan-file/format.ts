/**
 * A plan in a file, for others to read before it is sent: gzip of lines. The first is the header, then
 * come the bodies byte for byte, then the rows that were left out, and the digest of all lines before it.
 */

import * as v from "valibot";
import { templateButton } from "../../contract/kakao.ts";
import { linesOf } from "../../durable/files.ts";
import { type MsgError, usageError } from "../../errors.ts";
import { asRecord, readJson } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import type { SkipReason } from "../messages/skip-rules.ts";
import { readTemplate } from "../messages/template.ts";
import { count } from "../protocol/entries.ts";
import { encodings } from "../sources/decode.ts";
import { formats } from "../sources/rows.ts";
import { messagesIn } from "../store/row-outcomes.ts";
import { isClaimOfRows, type RunFile, runFile } from "../store/run-file.ts";
import { fileOf, type RunStore, runIdPattern } from "../store/run-folder.ts";

const planVersion = 1;

/** A Kakao template as a plan keeps it: what decides what phones show. A changed template makes another plan. */
const keptTemplate = v.object({
  templateId: v.string(),
  name: v.string(),
  content: v.string(),
  buttons: v.array(templateButton),
  isApproved: v.boolean(),
});
export type KeptTemplate = v.InferOutput<typeof keptTemplate>;

const planHeader = v.object({
  msgplan: v.literal(planVersion),
  /** Everything of the run that is fixed, the place and digest of each body included. */
  run: runFile,
  /** Who made the plan: user of the machine, profile, account and key. */
  planner: v.object({
    user: v.nullable(v.string()),
    profile: v.string(),
    account: v.nullable(v.string()),
    key: v.nullable(v.string()),
  }),
  wrong: count,
  skipped: v.object({ duplicate: count, excluded: count } satisfies Record<SkipReason, unknown>),
  found: v.object({
    format: v.optional(v.picklist(formats)),
    encoding: v.optional(v.picklist(encodings)),
  }),
  /** The column that was taken as the recipient by its name. */
  recipient: v.optional(v.string()),
  templates: v.array(keptTemplate),
  leftOut: count,
});
export type PlanHeader = v.InferOutput<typeof planHeader>;

const newer = v.object({ msgplan: v.pipe(v.number(), v.minValue(planVersion + 1)) });

/** The header of a plan. Throws MsgError (usage) for any other line, and for the header of a newer msg. */
export const parseHeader = (line: Uint8Array, name: string): PlanHeader => {
  const found = readJson(line);
  const read = v.safeParse(planHeader, found);
  if (read.success) return read.output;
  if (v.is(newer, found))
    throw usageError(t`'${name}' was written by a newer msg`, {
      code: "NewerPlan",
      where: name,
      todo: t`nothing was sent; use that version for this plan`,
    });
  throw damagedPlan(name, t`it does not begin like a plan`);
};

/**
 * Whether a run is one that send-many plans: its id can name a folder, it is complete in itself, so that ceilings
 * and approval apply to it, and its claim, which keeps rows from being sent twice, is that of its rows.
 */
export const isRunOfPlan = ({ content, ...it }: RunFile): boolean =>
  runIdPattern.test(it.run) &&
  it.call === "send-many" &&
  it.path !== "S" &&
  it.once === undefined &&
  it.part === undefined &&
  it.takesOver === undefined &&
  it.plan === undefined &&
  it.approval === undefined &&
  content !== undefined &&
  (it.path === "G" && it.tagged ? isClaimOfRows(it, content) : it.claim === undefined);

/** The error for a file that must not be used at all. */
export const damagedPlan = (name: string, why: string, cause?: unknown): MsgError =>
  usageError(t`'${name}' is not a plan, or is damaged: ${why}`, {
    code: "PlanNotReadable",
    where: name,
    todo: t`nothing was sent; copy the file again from where it was written, or plan again`,
    cause,
  });

/** Templates as they are now; those that this caller may not read are left out. */
export const readTemplates = async (
  ctx: Ports,
  ids: Iterable<string>,
): Promise<readonly KeptTemplate[]> => {
  const found: KeptTemplate[] = [];
  for (const id of ids) {
    const template = await readTemplate(ctx, id);
    if (template === undefined) continue;
    const { templateId, name, content, buttons, codes } = template;
    const isApproved = codes.some(({ status }) => status === "APPROVED");
    found.push({ templateId, name, content, buttons, isApproved });
  }
  return found;
};

/** The templates that a planned run names, each once. */
export const templateIds = (store: RunStore, run: string): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const { line } of linesOf(store.files, fileOf(store, run, "plan.jsonl"))) {
    if (!line.includes('"templateId"')) continue;
    for (const message of messagesIn(line)) {
      const { templateId } = asRecord(asRecord(message).kakaoOptions);
      if (typeof templateId === "string") ids.add(templateId);
    }
  }
  return ids;
};
