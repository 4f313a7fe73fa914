/** Sending for an assistant: first a plan with its price, then a token that sends exactly that, within ceilings. */
import * as v from "valibot";
import type { Context } from "../cli/context.ts";
import { usageError } from "../errors.ts";
import { asRecord, memberOf, parseJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import { formatMessageCount, formatWon } from "../message/price.ts";
import type { ToolAnswer, ToolFacts } from "./protocol.ts";

/** The limits of what may be sent while the server runs, over all calls. */
export interface Ceilings {
  readonly maxCost: number;
  readonly maxRecipients: number;
}

/** Runs a line of msg with these rows on its standard input. */
type RunLine = Context["runLine"];

export interface Wiring {
  readonly runLine: RunLine;
  readonly random: (bytes: number) => Uint8Array;
  /** Milliseconds by a clock that is never set. */
  readonly ticks: () => number;
}

/** How long a plan can be sent. */
const validMinutes = 5;

const message = v.strictObject({
  to: v.string(),
  text: v.optional(v.string()),
  from: v.optional(v.string()),
  subject: v.optional(v.string()),
  country: v.optional(v.string()),
});
const planInput = v.strictObject({
  messages: v.pipe(v.array(message), v.minLength(1)),
  text: v.optional(v.string()),
  from: v.optional(v.string()),
});
const tokenInput = v.strictObject({ token: v.string() });

const member = { type: "string" } as const;
const row = Object.fromEntries(Object.keys(message.entries).map((name) => [name, member]));

export const sendTool: ToolFacts = {
  name: "send_messages",
  description: `Send messages in two steps. With \`messages\`: nothing is sent, and the answer is the plan with its price and a token. With the token alone, within ${validMinutes} minutes: exactly that plan is sent, once. Show a person the plan before.`,
  inputSchema: {
    type: "object",
    properties: {
      messages: {
        type: "array",
        items: { type: "object", properties: row, required: ["to"], additionalProperties: false },
      },
      text: { ...member, description: "the text of messages that have none" },
      from: { ...member, description: "registered sender number; default: that of the profile" },
      token: { ...member, description: "of a plan: sends it" },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false },
};

interface Estimate {
  readonly rows: string;
  readonly cost: number;
  readonly recipients: number;
}

type Plan = Estimate & { readonly until: number };

const line = ["send-many", "-", "--format=json", "--json", "--no-input"];

/** What a line printed, as one text, with its error if it failed. */
export const toolAnswerOf = ({ code, out, err }: Awaited<ReturnType<RunLine>>): ToolAnswer => {
  if (code === 0) return { text: out, isError: false };
  const record = out === "" ? undefined : (parseJson(out).value ?? out);
  const error = errorIn(err) ?? { message: err };
  return { text: JSON.stringify({ error, record }), isError: true };
};

/** The error is the last line of standard error; notes may stand before it. */
const errorIn = (err: string): unknown =>
  memberOf(parseJson(err.trimEnd().split("\n").at(-1) ?? "").value, "error");

/** Only a certain "not sent" is not spent: any other ending may have sent something. */
const isNotSent = (code: number, err: string): boolean =>
  [2, 7, 9].includes(code) && memberOf(errorIn(err), "outcome") === "not_sent";

/** The tool: `messages` become a plan with a token, and a token sends its plan once. */
export const createSending = (ceilings: Ceilings, { runLine, random, ticks }: Wiring) => {
  const plans = new Map<string, Plan>();
  const left = { cost: ceilings.maxCost, recipients: ceilings.maxRecipients };

  const plan = async (input: unknown): Promise<ToolAnswer> => {
    const made = await estimate(runLine, input);
    if ("text" in made) return made;
    const over = overOf(left, made);
    if (over !== undefined) return refusal(over);
    const token = Buffer.from(random(16)).toString("hex");
    plans.set(token, { ...made, until: ticks() + validMinutes * 60_000 });
    return { text: JSON.stringify({ plan: made.record, token, note: planNote }), isError: false };
  };

  const send = async (token: string): Promise<ToolAnswer> => {
    const found = plans.get(token);
    // Whatever the result, the token is used up.
    plans.delete(token);
    if (found === undefined || found.until < ticks()) return refusal(invalidToken);
    const over = overOf(left, found);
    if (over !== undefined) return refusal(over);
    const { rows, cost, recipients } = found;
    // The limits below replace those of the profile, which may be lower by now.
    const checked = await runLine([...line, "--estimate"], rows);
    if (checked.code !== 0) return toolAnswerOf(checked);
    left.cost -= cost;
    left.recipients -= recipients;
    const limits = [`--max-cost=${cost}`, `--max-recipients=${recipients}`];
    const ran = await runLine([...line, ...limits], rows);
    if (isNotSent(ran.code, ran.err)) {
      left.cost += cost;
      left.recipients += recipients;
    }
    return toolAnswerOf(ran);
  };

  return (input: Readonly<Record<string, unknown>>): Promise<ToolAnswer> =>
    "token" in input ? send(v.parse(tokenInput, input).token) : plan(input);
};

const planNote = `nothing was sent; call send_messages with this token alone within ${validMinutes} minutes to send exactly this`;
const invalidToken = `this token is not valid: it was used, is older than ${validMinutes} minutes, or was never given`;

/** Rows with what sending them would cost; or why they cannot be sent. */
const estimate = async (
  runLine: RunLine,
  input: unknown,
): Promise<(Estimate & { readonly record: unknown }) | ToolAnswer> => {
  const { messages, text, from } = v.parse(planInput, input);
  const rows = JSON.stringify(messages.map((it) => ({ text, from, ...it })));
  const ran = await runLine([...line, "--estimate"], rows);
  if (ran.code !== 0) return toolAnswerOf(ran);
  const record = parseJson(ran.out).value;
  const { cost, total } = asRecord(record);
  return typeof cost === "number" && typeof total === "number"
    ? { rows, cost, recipients: total, record }
    : refusal("what it costs is not known, so nothing can be sent");
};

const refusal = (why: string): ToolAnswer => ({
  text: JSON.stringify({ error: { message: why, outcome: "not_sent" } }),
  isError: true,
});

const overOf = (
  left: Pick<Estimate, "cost" | "recipients">,
  { cost, recipients }: Estimate,
): string | undefined => {
  if (cost > left.cost)
    return `this costs ${formatWon(cost)}; of --max-cost ${formatWon(left.cost)} are left`;
  if (recipients > left.recipients)
    return `this is ${formatMessageCount(recipients)}; of --max-recipients ${left.recipients} are left`;
  return undefined;
};

/** Ceilings if sending is allowed; throws usage if one of the three flags is missing. */
export const ceilingsOf = (flags: {
  readonly allowSend?: boolean | undefined;
  readonly maxCost?: number | undefined;
  readonly maxRecipients?: number | undefined;
}): Ceilings | undefined => {
  const { allowSend = false, maxCost, maxRecipients } = flags;
  const given = [allowSend, maxCost !== undefined, maxRecipients !== undefined];
  if (!given.includes(true)) return undefined;
  if (!allowSend || maxCost === undefined || maxRecipients === undefined)
    throw usageError(
      t`an assistant sends with --allow-send, --max-cost and --max-recipients only`,
      { todo: t`give all three, or none of them: without them it reads` },
    );
  return { maxCost, maxRecipients };
};
