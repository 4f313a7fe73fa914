/** What an assistant is offered: tools for the commands that only read, resources, and masked answers. */
import * as v from "valibot";
import type { CommandTable, Verb } from "../cli/command.ts";
import { topics } from "../cli/help/help-text.ts";
import { formatTyped, type Option, optionsOf, placeholder } from "../cli/parse/flags.ts";
import { flagsOf } from "../cli/parse/verb-flags.ts";
import { maxRows } from "../contract/endpoint.ts";
import { factsOf, itemOf, unwrap } from "../contract/fields.ts";
import { didYouMean, toMsgError, usageError } from "../errors.ts";
import { isRecord, tryJson } from "../json/read-json.ts";
import { statusCodes } from "../message/status.ts";
import { version } from "../version.ts";
import type { Served, ToolAnswer, ToolFacts } from "./protocol.ts";
import { type Ceilings, createSending, sendTool, toolAnswerOf, type Wiring } from "./sending.ts";

interface Offer extends Wiring {
  readonly commands: CommandTable;
  /** Undefined: it only reads. */
  readonly ceilings: Ceilings | undefined;
  readonly showNumbers: boolean;
}

/** The most characters of an answer; more would fill an assistant's memory with one list. */
const maxText = 200_000;

/** One call at a time: each one knows what the earlier ones spent. */
export const createAssistant = async (offer: Offer): Promise<Served> => {
  const { commands, runLine, ceilings, showNumbers } = offer;
  const reading = await readingTools(commands);
  const lines = new Map(reading.map(({ facts, lineOf }) => [facts.name, lineOf]));
  const send = ceilings && createSending(ceilings, offer);
  const inTurn = createQueue();
  const masked = (text: string): string => maskJson(text, showNumbers);
  const run = async (
    name: string,
    input: Readonly<Record<string, unknown>>,
  ): Promise<ToolAnswer> => {
    if (send !== undefined && name === sendTool.name) return send(input);
    const lineOf = lines.get(name);
    if (lineOf === undefined) return { text: `there is no tool '${name}'`, isError: true };
    // A text that is `-` reads standard input, which holds that text.
    const stdin = Object.values(input).includes("-") ? "-" : "";
    return toolAnswerOf(await runLine(lineOf(input), stdin));
  };
  return {
    name: "msg",
    version,
    instructions: instructionsOf(ceilings),
    tools: [...reading.map(({ facts }) => facts), ...(send ? [sendTool] : [])],
    resources,
    call: (name, input, signal) =>
      inTurn(async () => {
        // No one would receive the result.
        if (signal.aborted) return { text: "cancelled: nothing was done", isError: true };
        const { text, isError } = await run(name, input).catch(failure);
        return text.length > maxText
          ? { text: "the answer is too long: ask for less, as with a smaller limit", isError: true }
          : { text: masked(text), isError };
      }),
    read: (uri) =>
      inTurn(async () => {
        const text = await readResource(uri, runLine);
        return text === undefined ? undefined : masked(text);
      }),
  };
};

const failure = (error: unknown): ToolAnswer => ({
  text: v.isValiError(error) ? error.message : toMsgError(error).message,
  isError: true,
});

const createQueue = () => {
  const last: { work: Promise<unknown> } = { work: Promise.resolve() };
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.work.then(work, work);
    last.work = mine.catch(() => undefined);
    return mine;
  };
};

/** JSON member by member; any other text, such as two JSON texts, as a whole. */
const maskJson = (text: string, showNumbers: boolean): string => {
  const value = tryJson(text);
  if (value === undefined) return showNumbers ? text : maskText(text);
  return JSON.stringify(maskValue(value, showNumbers), null, 2);
};

const instructionsOf = (ceilings: Ceilings | undefined): string =>
  [
    "Tools of msg, the command line of a messaging service. Money is in won. Times are UTC.",
    ceilings
      ? "send_messages sends real messages within the ceilings that a person gave: show the plan to a person before you use its token."
      : "All tools read: nothing can be sent, charged or changed.",
  ].join(" ");

const topicUri = (topic: string): string => `msg://help/${topic}`;
const statusUri = "msg://status-codes";
const inboxUri = "msg://sandbox/inbox";

const resources: Served["resources"] = [
  ...Object.keys(topics).map((topic) => ({
    uri: topicUri(topic),
    name: `help: ${topic}`,
    mimeType: "text/plain",
  })),
  { uri: statusUri, name: "status codes of messages", mimeType: "application/json" },
  { uri: inboxUri, name: "what the sandbox's phones received", mimeType: "application/json" },
];

const readResource = async (uri: string, runLine: Wiring["runLine"]) => {
  if (uri === statusUri) return JSON.stringify([...statusCodes.values()]);
  if (uri === inboxUri)
    return (await runLine(["sandbox", "inbox", "list", "--limit=100", "--json", "--no-input"])).out;
  const topic = Object.entries(topics).find(([name]) => topicUri(name) === uri);
  return topic?.[1];
};

/** Members that hold a recipient, whatever the number looks like. */
const recipients: ReadonlySet<string> = new Set(["to", "recipient", "recipients"]);
/** Members that never hold one: masking them would make them useless. */
const others: ReadonlySet<string> = new Set(["from", "phoneNumber", "messageId", "groupId", "run"]);
/** Members that prove an identity or move money: no flag shows them. */
const secrets: ReadonlySet<string> = new Set([
  "key",
  "senderKey",
  "secret",
  "apiSecret",
  "accessToken",
  "refreshToken",
  "password",
  "cardNumber",
  "accountNumber",
  "cvc",
  "otp",
]);

/** A mobile number of Korea in any text, at home or with its country. */
const mobile = /(?<![\w.])(?:\+?82[-. ]?)?0?1[016789][-. ]?\d{3,4}[-. ]?\d{4}(?!\w)/g;

/** `010****5678`; for a short one the last two digits. */
const maskNumber = (number: string): string => {
  const digits = number.replace(/\D/g, "");
  return digits.length < 9
    ? `****${digits.slice(-2)}`
    : `${digits.slice(0, 3)}****${digits.slice(-4)}`;
};

/** A text without numbers that could be called. */
export const maskText = (text: string): string => text.replace(mobile, maskNumber);

/** A JSON value without secrets, and without numbers unless they should be shown. */
export const maskValue = (value: unknown, showNumbers: boolean, member = ""): unknown => {
  if (Array.isArray(value)) return value.map((it) => maskValue(it, showNumbers, member));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, it]) => [
        showNumbers ? name : maskText(name),
        maskValue(it, showNumbers, name),
      ]),
    );
  if (secrets.has(member) && value !== null) return "****";
  if (typeof value !== "string" || showNumbers || others.has(member)) return value;
  return recipients.has(member) || isRecipientField(member, value)
    ? maskNumber(value)
    : maskText(value);
};

/** The details of refused rows name a row by its recipient. */
const isRecipientField = (member: string, value: string): boolean =>
  member === "field" && /^\d+$/.test(value);

/** A tool, and the line of msg that it runs. */
export interface CommandTool {
  readonly facts: ToolFacts;
  readonly lineOf: (input: Readonly<Record<string, unknown>>) => readonly string[];
}

/** Tools of this machine, which ask no service. */
const local: ReadonlySet<string> = new Set(["run list", "run show", "text check", "explain"]);

/** Not offered: callers, settings, sandbox controls, bank accounts, and what waits or writes documents. */
const notOffered =
  /^(auth|profile|api|sandbox|doctor|payment bank|balance (quote|statement))\b|\b(wait|watch|export|download)$/;

/** Every command that only reads, in the order of help. */
const readingTools = async ({ table }: CommandTable): Promise<readonly CommandTool[]> => {
  const tools: CommandTool[] = [];
  for (const [path, { summary, load, hidden }] of Object.entries(table)) {
    if (hidden || notOffered.test(path)) continue;
    const { default: verb } = await load();
    if (isReading(path, verb)) tools.push(toolOf(path, summary, verb));
  }
  return tools;
};

const isReading = (path: string, verb: Verb): boolean => {
  const { endpoints } = verb;
  const asks = endpoints.length > 0 && endpoints.every(({ effect }) => effect === "safe");
  const needsFile = [...optionsOf(verb.args), ...flagsOf(verb)].some(
    (it) => isFile(it) && (it.required || it.key in verb.args),
  );
  return !verb.writes && !needsFile && (asks || local.has(path));
};

const isFile = ({ schema }: Option): boolean => factsOf(schema).kind === "file";

/** `message list` → `list_message`: no tool that reads begins like one that sends. */
const toolOf = (path: string, summary: string, verb: Verb): CommandTool => {
  const args = optionsOf(verb.args);
  const flags = flagsOf(verb).filter((it) => !isFile(it) && it.key !== "all");
  const options = [...args, ...flags];
  const required = options.filter((it) => it.required || isGiven(it, args)).map(({ key }) => key);
  return {
    facts: {
      name: path.split(" ").reverse().join("_").replaceAll("-", "_"),
      description: `${summary}. The same as: msg ${path}`,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(options.map((it) => [it.key, schemaOf(it)])),
        required,
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    },
    lineOf: (input) => [
      ...path.split(" "),
      ...assertKnown(options, input),
      ...flags.flatMap((it) => valuesOf(it, input).map((value) => `--${it.name}=${value}`)),
      "--json",
      "--no-input",
      // With the key at which the list continues.
      ...(verb.endpoint?.page ? ["--envelope"] : []),
      // After this every word is literal: no value becomes a flag.
      "--",
      ...args.flatMap((it) => valuesOf(it, input)),
    ],
  };
};

/** An ignored argument would be a filter that does not filter. Throws usage; adds nothing. */
const assertKnown = (options: readonly Option[], input: object): readonly string[] => {
  const unknown = Object.keys(input).find((name) => !options.some(({ key }) => key === name));
  if (unknown === undefined) return [];
  const known = options.map(({ key }) => key);
  throw usageError(`there is no argument '${unknown}'${didYouMean(unknown, known)}`);
};

/** A positional that a command does not ask for is optional by its schema. */
const isGiven = ({ schema }: Option, args: readonly Option[]): boolean =>
  args.some((it) => it.schema === schema) && schema.type !== "optional";

const schemaOf = (option: Option): Readonly<Record<string, unknown>> => {
  const { schema, description, isSwitch, repeats, key } = option;
  if (isSwitch) return { type: "boolean", description };
  if (repeats)
    return {
      type: "array",
      items: { type: "string" },
      description: `${description} (${placeholder(schema)})`,
    };
  const inner = unwrap(schema);
  if (inner.type === "picklist")
    return { type: "string", enum: placeholder(schema).split("|"), description };
  if (inner.type === "number")
    return { type: "number", description, ...(key === "limit" && { maximum: maxRows }) };
  return {
    type: "string",
    description: `${description} (${placeholder(itemOf(schema) ?? schema)})`,
  };
};

/** The values as they would be typed; a leading `@` or `-` stays literal. */
const valuesOf = (option: Option, input: Readonly<Record<string, unknown>>): readonly string[] => {
  const given = input[option.key];
  if (given === undefined || given === null) return [];
  const values = (Array.isArray(given) ? given : [given]).map(String);
  if (option.key === "limit") return values.map((it) => (Number(it) > maxRows ? `${maxRows}` : it));
  return values.map((it) => formatTyped(option, it));
};
