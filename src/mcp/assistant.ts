/** What an assistant is offered: tools, resources, and what comes back of a call. */
import * as v from "valibot";
import type { CommandTable } from "../cli/command.ts";
import { topics } from "../cli/help/topics.ts";
import { toMsgError } from "../errors.ts";
import { statusCodes } from "../message/status.ts";
import { version } from "../version.ts";
import { maskText, maskValue } from "./numbers.ts";
import type { Said, Served } from "./protocol.ts";
import { type Ceilings, createSending, type RunLine, saidOf, sendTool } from "./sending.ts";
import { readingTools } from "./tools.ts";

interface Offer {
  readonly commands: CommandTable;
  readonly runLine: RunLine;
  /** Undefined: it only reads. */
  readonly ceilings: Ceilings | undefined;
  readonly showNumbers: boolean;
  readonly random: (bytes: number) => Uint8Array;
  readonly ticks: () => number;
}

/** Characters of an answer; more fills the memory of an assistant with one list. */
const maxText = 200_000;

/** One call at a time: what one of them spends the next one knows. */
export const createAssistant = async (offer: Offer): Promise<Served> => {
  const { commands, runLine, ceilings, showNumbers } = offer;
  const reading = await readingTools(commands);
  const lines = new Map(reading.map(({ facts, lineOf }) => [facts.name, lineOf]));
  const send = ceilings && createSending(ceilings, offer);
  const inTurn = createQueue();
  const masked = (text: string): string => maskJson(text, showNumbers);
  const run = async (name: string, input: Readonly<Record<string, unknown>>): Promise<Said> => {
    if (send !== undefined && name === sendTool.name) return send(input);
    const lineOf = lines.get(name);
    if (lineOf === undefined) return { text: `there is no tool '${name}'`, isError: true };
    return saidOf(await runLine(lineOf(input)));
  };
  return {
    name: "msg",
    version,
    instructions: instructionsOf(ceilings),
    tools: [...reading.map(({ facts }) => facts), ...(send ? [sendTool] : [])],
    resources,
    call: (name, input) =>
      inTurn(async () => {
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

const failure = (error: unknown): Said => ({
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

/** JSON member by member; any other text, such as two of them, as it stands. */
const maskJson = (text: string, showNumbers: boolean): string => {
  try {
    return JSON.stringify(maskValue(JSON.parse(text), showNumbers), null, 2);
  } catch {
    return showNumbers ? text : maskText(text);
  }
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

const readResource = async (uri: string, runLine: RunLine): Promise<string | undefined> => {
  if (uri === statusUri) return JSON.stringify([...statusCodes.values()]);
  if (uri === inboxUri)
    return (await runLine(["sandbox", "inbox", "list", "--limit=100", "--json", "--no-input"])).out;
  const topic = Object.entries(topics).find(([name]) => topicUri(name) === uri);
  return topic?.[1];
};
