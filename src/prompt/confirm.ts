/** The question before a write. */

import { MsgError, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ask } from "./prompt.ts";

/** Who answers, and what was agreed to on the command line. */
interface Asking {
  readonly ask: Ask | undefined;
  readonly consent: Consent;
}

/** Returns when the operator agreed; otherwise throws, and nothing was changed. */
export const confirm = async (ctx: Asking, asked: Confirmation): Promise<void> => {
  if (ctx.consent.dryRun) return;
  if (asked.type === undefined) return confirmYes(ctx, asked.question);
  return confirmTyped(ctx, asked.question, asked.type);
};

const confirmYes = async (ctx: Asking, question: string): Promise<void> => {
  if (ctx.consent.yes) return;
  if (!ctx.ask)
    throw usageError(t`this command asks for confirmation, but there is no terminal`, {
      code: "ConfirmationNeeded",
      where: question,
      todo: t`add -y to answer yes`,
    });
  if (!(await ctx.ask.confirm(question))) throw declined();
};

const confirmTyped = async (ctx: Asking, question: string, type: string): Promise<void> => {
  const typed = ctx.consent.typed ?? (await ctx.ask?.text(t`${question} Type ${type} to confirm:`));
  if (typed === undefined)
    throw usageError(t`this command asks for a typed confirmation, but there is no terminal`, {
      code: "ConfirmationNeeded",
      where: question,
      todo: t`add --confirm '${type}'`,
    });
  if (typed.trim() !== type)
    throw new MsgError(
      "stopped",
      t`confirmation did not match: '${typed.trim()}' instead of '${type}'`,
      {
        code: "Declined",
        todo: t`nothing was changed`,
      },
    );
};

const declined = (): MsgError =>
  new MsgError("stopped", t`declined: nothing was changed`, { code: "Declined" });

/** A question before a write. With `type` a person types that text, without it y or N. */
export interface Confirmation {
  readonly question: string;
  readonly type?: string;
}

/** What the operator agreed to on the command line. */
export interface Consent {
  /** --yes: answers confirmations with yes. */
  readonly yes: boolean;
  /** --confirm: the text that a confirmation asks to type. */
  readonly typed: string | undefined;
  /** --dry-run: nothing that writes is sent. */
  readonly dryRun: boolean;
}
