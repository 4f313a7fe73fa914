/** Questions to a person, asked on standard error, and the confirmation before a write. */

import { MsgError, usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Choice } from "./questions.ts";

/** Every question ends with an answer or, on Ctrl-C, with MsgError("interrupted"). */
export interface Ask {
  /** A line of text; `check` returns what is wrong with it, or undefined. */
  text(question: string, options?: { check?: Check }): Promise<string>;
  /** The same, showing a dot for each character. */
  hidden(question: string, options?: { check?: Check }): Promise<string>;
  /** y/N; Enter means no. */
  confirm(question: string): Promise<boolean>;
  /** One of several, found by typing a part of its label; returns the value. */
  choose(question: string, options: readonly Choice[]): Promise<string>;
}

export type Check = (answer: string) => string | undefined | Promise<string | undefined>;

export interface AskOptions {
  /** A terminal: any other input would be consumed, and without one there is no one to ask. */
  readonly input: NodeJS.ReadableStream & { readonly isRaw?: boolean };
  /** Standard error; standard output holds data only. */
  readonly output: NodeJS.WritableStream;
  /** Ctrl-C outside a question, and SIGTERM. */
  readonly signal: AbortSignal;
  /** Makes labels, choices and complaints harmless for a terminal. */
  readonly clean: (text: string) => string;
  readonly colour: boolean;
}

/**
 * The person at the terminal. Ctrl-C, Ctrl-D and a closed terminal end a question with
 * MsgError("interrupted").
 */
export const createAsk = (options: AskOptions): Ask => {
  const { clean } = options;
  const theme = options.colour ? {} : { theme: plainTheme };
  const base = (question: string) => ({ message: clean(question), ...theme });
  return {
    text: (question, { check } = {}) =>
      put(options, async (start) => {
        const { default: input } = await import("@inquirer/input");
        return input({ ...base(question), ...checked(check, clean) }, await start());
      }),
    hidden: (question, { check } = {}) =>
      put(options, async (start) => {
        const { default: password } = await import("@inquirer/password");
        const config = { ...base(question), ...checked(check, clean) };
        return password({ ...config, mask: "•", toggleMask: false }, await start());
      }),
    confirm: (question) =>
      put(options, async (start) => {
        const { askYesNo } = await import("./questions.ts");
        return askYesNo(base(question), await start());
      }),
    choose: (question, choices) =>
      put(options, async (start) => {
        const { pick } = await import("./questions.ts");
        const shown = choices.map(({ value, label }) => ({ value, label: clean(label) }));
        return pick({ ...base(question), choices: shown }, await start());
      }),
  };
};

type PromptContext = Pick<AskOptions, "input" | "output" | "signal">;

/** Asks one question, and again when the program returns from the background; each loads its own package. */
const put = async <T>(
  options: AskOptions,
  question: (start: () => Promise<PromptContext>) => Promise<T>,
): Promise<T> => {
  const { input, output, signal } = options;
  if (signal.aborted) throw interruptedError();
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  let isBack = false;
  // Ctrl-D makes the terminal ordinary again; `fg` after Ctrl-Z makes it raw again.
  const pause = (): void =>
    void setImmediate(() => {
      isBack = input.isRaw === true;
      leave();
    });
  // The library does not notice Ctrl-D or a closed terminal: it would wait until the process dies
  // of having nothing to do, with exit code 0. Both pause or end the input.
  input.once("pause", pause);
  for (const event of endings) input.once(event, leave);
  try {
    const both = AbortSignal.any([signal, gone.signal]);
    return await question(async () => {
      // The library drops what was typed before a question only if it starts in the check phase
      // of the event loop: in any other, a pasted line could agree to a price not yet shown.
      await new Promise<void>((done) => setImmediate(done));
      return { input, output, signal: both };
    });
  } catch (error) {
    if (isEnding(error) && isBack) return await put(options, question);
    throw isEnding(error) ? interruptedError(error) : error;
  } finally {
    input.removeListener("pause", pause);
    for (const event of endings) input.removeListener(event, leave);
  }
};

const endings = ["end", "close"] as const;

const isEnding = (error: unknown): boolean =>
  error instanceof Error && ["ExitPromptError", "AbortPromptError"].includes(error.name);

/** The error of an operator who stopped msg before it did anything. */
export const interruptedError = (cause?: unknown): MsgError =>
  new MsgError("interrupted", t`interrupted: nothing was changed`, { cause });

const checked = (check: Check | undefined, clean: (text: string) => string) => {
  if (!check) return {};
  const validate = async (answer: string): Promise<string | true> => {
    const wrong = await check(answer);
    return wrong === undefined ? true : clean(wrong);
  };
  return { validate };
};

const same = (text: string): string => text;
/** The library decides about colours by the environment alone, without `--no-color`. */
const plainTheme = {
  prefix: { idle: "?", done: "✔" },
  style: {
    answer: same,
    message: same,
    error: (text: string) => `> ${text}`,
    defaultAnswer: (text: string) => `(${text})`,
    help: same,
    highlight: same,
    key: (text: string) => `<${text}>`,
  },
};

/** Answers questions, and holds what was agreed to on the command line. */
interface Asking {
  readonly ask: Ask | undefined;
  readonly consent: Consent;
}

/** Returns when the operator agreed; otherwise throws, and nothing was changed. */
export const confirm = async (ctx: Asking, asked: Confirmation): Promise<void> => {
  // What a dry run asks is answered by the line alone: a wrong answer there is wrong.
  if (ctx.consent.dryRun && (asked.type === undefined || ctx.consent.typed === undefined)) return;
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
  if (!(await ctx.ask.confirm(question)))
    throw new MsgError("stopped", t`declined: nothing was changed`, { code: "Declined" });
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
      { code: "Declined", todo: t`nothing was changed` },
    );
};

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
