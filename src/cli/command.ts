/**
 * A command is a declaration over an endpoint of the contract, or a tool of its own. Both become a
 * `Verb`, which help, completion and `run-command.ts` read.
 */
import type * as v from "valibot";
import { conformTo } from "../contract/conform.ts";
import {
  type Caller,
  type Endpoint,
  type Fields,
  type Input,
  isSandboxRoute,
  type Page,
  type PageOf,
  type Reply,
  type Row,
  type Values,
} from "../contract/endpoint.ts";
import { bareOf, itemOf, membersOf } from "../contract/fields.ts";
import { readersOf } from "../output/columns.ts";
import type { Column, Result } from "../output/view.ts";
import type { Check, Confirmation } from "../prompt/prompt.ts";
import type { Choice } from "../prompt/questions.ts";
import type { Context } from "./context.ts";
import type { UntypedInput } from "./parse/input.ts";
import { endpointFlags } from "./parse/verb-flags.ts";

/** How to ask for a missing value, beyond its description. */
export interface Question {
  /** If it should say less than help does. */
  readonly question?: string;
  readonly check?: Check;
  /** A list to choose from, which may have to be read first; the flag accepts other values too. */
  readonly choices?: readonly Choice[] | ((ctx: Context) => Promise<readonly Choice[]>);
}

/** What was typed, read by the schemas. */
export interface Given<A extends Fields, F extends Fields> {
  readonly args: { readonly [K in keyof A]: v.InferOutput<A[K]> };
  readonly flags: Values<F>;
  /** Questions were answered to complete the line. */
  readonly isPrompted?: boolean;
}

/** What a command and a tool both declare. */
interface Declaration<A extends Fields, F extends Fields> {
  /** Positionals in order. One named like a member of the endpoint fills that member. */
  readonly args?: A;
  /** Flags of its own, in addition to those of the endpoint's query and body. */
  readonly flags?: F;
  readonly additionalEndpoints?: readonly Endpoint[];
  readonly questions?: Readonly<Record<string, Question>>;
  /** Exit codes for help, in addition to those of every command that reads, or that writes. */
  readonly exits?: readonly number[];
  /** Lines that run as they are, but for what is in `<…>`. */
  readonly examples: readonly string[];
}

/** A command over an endpoint. Without `run` it is data: checked, confirmed, called, rendered. */
export interface Command<E extends Endpoint, A extends Fields, F extends Fields>
  extends Declaration<A, F> {
  readonly endpoint: E;
  /** Members of the endpoint that are not flags here. */
  readonly hiddenMembers?: readonly string[];
  /** In order; the first is the id: --quiet prints only that of a written record. */
  readonly columns: readonly Column<Row<E>>[];
  /** By switch: the columns that it shows in place of the record's. `--fields` then names these. */
  readonly alternateColumns?: Readonly<Record<string, readonly Column<never>[]>>;
  /** Flags that are required depending on settings or on other flags. */
  readonly requires?: (ctx: Context, flags: Values<F>) => readonly (keyof F & string)[];
  /** The question before the call; the data that it names may have to be read first. */
  readonly confirm?: (
    ctx: Context,
    input: Input<E>,
    given: Given<A, F>,
  ) => Confirmation | Promise<Confirmation>;
  /** Replaces or completes what the flags made of the input. */
  readonly input?: (
    ctx: Context,
    given: Given<A, F>,
    derived: Input<E>,
  ) => Input<E> | Promise<Input<E>>;
  /** Replaces the call. `defaultRun` makes it as every other command does. */
  readonly run?: (
    ctx: Context,
    input: Input<E>,
    given: Given<A, F>,
    defaultRun: () => Promise<Answered<E>>,
  ) => Promise<Result>;
}

/** How the result of an endpoint is shown: a list by its pages, anything else as one record. */
type Answered<E extends Endpoint> = E extends { readonly page: Page }
  ? { readonly pages: AsyncIterable<PageOf<Row<E>>> }
  : { readonly record: Reply<E> };

/** A command without an endpoint: settings, local tools, servers. */
export interface Tool<A extends Fields, F extends Fields> extends Declaration<A, F> {
  readonly columns?: readonly Column<never>[];
  /** The profile that is used when none is named. */
  readonly profile?: string;
  /** What `--fields` may name in addition to the columns. */
  readonly fields?: readonly string[] | "any";
  /** It sends or changes something, or only files of msg: help and what a lost output means depend on it. */
  readonly writes?: true | "local";
  /** It creates the named profile, or does not use it: an unknown name is not a mistake. */
  readonly mayBeNew?: true;
  /** The command reports what is wrong with the settings: it runs without them if they cannot be read. */
  readonly mayBeBroken?: true;
  readonly run: (ctx: Context, given: Given<A, F>, commands: CommandTable) => Promise<Result>;
}

/** What help, completion and the runner see of a command, without the types of its input. */
export interface Verb extends Caller {
  readonly args: Fields;
  readonly flags: Fields;
  /** The body, or a part of it, may come from `--input`. */
  readonly takesInput?: boolean;
  /** It shows pages of its endpoint; another command may look for one record there. */
  readonly isList?: boolean;
  readonly columns: readonly Column<never>[];
  readonly alternateColumns: Readonly<Record<string, readonly Column<never>[]>>;
  /** What `--fields` may name in addition to the columns; undefined for anything. */
  readonly fields: readonly string[] | undefined;
  readonly examples: readonly string[];
  readonly profile?: string | undefined;
  readonly writes: boolean | "local";
  readonly exits: readonly number[];
  readonly mayBeNew?: true;
  readonly mayBeBroken?: true;
  readonly requires?: (ctx: Context, flags: Readonly<Record<string, unknown>>) => readonly string[];
  readonly questions: Readonly<Record<string, Question>>;
  /** What was typed as an input of the endpoint. */
  readonly input?: (
    ctx: Context,
    given: UntypedInput,
    derived: UntypedInput,
  ) => UntypedInput | Promise<UntypedInput>;
  readonly confirm?: (
    ctx: Context,
    input: UntypedInput,
    given: UntypedInput,
  ) => Confirmation | Promise<Confirmation>;
  readonly run?: (
    ctx: Context,
    input: UntypedInput,
    given: UntypedInput,
    defaultRun: () => Promise<Result>,
    commands: CommandTable,
  ) => Promise<Result>;
}

/** A verb that declares nothing. */
const bare = {
  endpoint: undefined,
  args: {},
  flags: {},
  columns: [],
  alternateColumns: {},
  writes: false,
  exits: [],
  questions: {},
} satisfies Partial<Verb>;

/** Declares a command over an endpoint. */
export const command = <
  const E extends Endpoint,
  const A extends Fields = Record<never, never>,
  const F extends Fields = Record<never, never>,
>(
  declared: Command<E, A, F>,
): Verb => {
  const { endpoint, additionalEndpoints = [], hiddenMembers = [], args = {}, flags } = declared;
  const row = rowSchema(endpoint);
  const isInput = (name: string) => !(name in args) && !hiddenMembers.includes(name);
  return {
    ...bare,
    ...erase(declared),
    endpoints: [endpoint, ...additionalEndpoints],
    flags: {
      // Twice: they come first in help, and override an endpoint's flag of the same name.
      ...flags,
      ...endpointFlags(endpoint, [...hiddenMembers, ...Object.keys(args)]),
      ...flags,
    },
    // A positional has to be typed: it cannot come with the body.
    takesInput:
      endpoint.effect !== "safe" &&
      !declared.input &&
      Object.keys(endpoint.body?.entries ?? {}).some(isInput),
    isList: endpoint.page !== undefined && isInput("limit"),
    columns: tolerant(row, declared.columns),
    fields: row ? Object.keys(membersOf(row)) : [],
    profile: isSandboxRoute(endpoint) ? "sandbox" : undefined,
    writes: endpoint.effect !== "safe",
  };
};

/** Declares a command without an endpoint. */
export const tool = <
  const A extends Fields = Record<never, never>,
  const F extends Fields = Record<never, never>,
>({
  run,
  additionalEndpoints = [],
  fields,
  ...declared
}: Tool<A, F>): Verb => ({
  ...bare,
  ...declared,
  endpoints: additionalEndpoints,
  fields: fields === "any" ? undefined : (fields ?? []),
  run: (ctx, _input, given, _defaultRun, commands) => eraseRun(run)(ctx, given, commands),
});

/** The one place that drops a declaration's types: values come from its own schemas. */
const erase = (declared: unknown) => declared as Pick<Verb, "endpoint" | "examples">;
const eraseRun = (run: unknown) =>
  run as (ctx: Context, given: UntypedInput, commands: CommandTable) => Promise<Result>;

/** The schema of a row of a list, or of the record; the first of several forms. */
const rowSchema = ({ page, reply }: Endpoint): v.GenericSchema | undefined => {
  const list = page?.items === undefined ? reply : membersOf(reply)[page.items];
  const row = page ? list && itemOf(list) : reply;
  return row && (bareOf(row) ?? row);
};

/** Computed columns get a row of the declared shape, whatever the service left out. */
const tolerant = (
  schema: v.GenericSchema | undefined,
  columns: readonly Column<never>[],
): readonly Column<never>[] => {
  const conform = schema && conformTo(schema);
  const memory: { row?: unknown; shaped?: unknown } = {};
  const shape = (row: unknown): unknown => {
    if (memory.row !== row) Object.assign(memory, { row, shaped: conform?.(row) });
    return memory.shaped;
  };
  return columns.map((column) => {
    const [reader] = typeof column === "string" || !schema ? [] : readersOf([column]);
    if (!reader) return column;
    const value = (row: unknown): unknown => {
      const cell = reader.value(shape(row));
      // A sum over unknown values is unknown.
      return Number.isNaN(cell) ? undefined : cell;
    };
    return { ...reader, value };
  });
};

export interface CommandEntry {
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly default: Verb }>;
  /** Not listed by help: a second spelling of another command. */
  readonly hidden?: true;
}

/** Every command by its words, and the summary of each group: for commands that list the others. */
export interface CommandTable {
  readonly table: Readonly<Record<string, CommandEntry>>;
  readonly groups: Readonly<Record<string, string>>;
}
