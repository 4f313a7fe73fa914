/** The flags of a verb: its own, its endpoint's, those of every list, of a second factor and of a whole body. */
import { wholeNumber } from "../../contract/bounded.ts";
import type { Caller, Endpoint, Fields } from "../../contract/endpoint.ts";
import { choice, duration, file, flag, id, isOptional, text } from "../../contract/fields.ts";
import { type Option, optionsOf } from "./flags.ts";

type FlaggedVerb = Caller & {
  readonly flags: Fields;
  readonly isList?: boolean;
  readonly takesInput?: boolean;
};

/** All flags of a verb, in the order of help. */
export const flagsOf = (verb: FlaggedVerb): Option[] => {
  const { endpoint, flags, isList, takesInput } = verb;
  return optionsOf({
    ...flags,
    ...(isList && endpoint?.page && { ...rowFlags, ...startFlags[endpoint.page.by] }),
    ...(needsSecondFactor(verb) && protectedFlags),
    ...(takesInput && inputFlag),
  }).map((it) => ({ ...it, required: it.required || isOfBody(endpoint, it) }));
};

/** A required member of the body; a flag of the same name may be something else. */
const isOfBody = (endpoint: Endpoint | undefined, { key, schema }: Option): boolean =>
  endpoint?.body?.entries[key] === schema && !isOptional(schema);

/** The flag of a command whose body may come as a whole. */
const inputFlag = { input: file("members of the body as one JSON object; - is standard input") };

/** The flags of every list. */
const rowFlags: Fields = {
  limit: wholeNumber("rows to show; default: 20", { from: 1 }),
  all: flag("show all rows, in the largest pages"),
};

/** Where a list begins. */
const startFlags: Readonly<Record<"key" | "offset", Fields>> = {
  key: { startKey: id("start of the next page, as the page before named it") },
  offset: { offset: wholeNumber("rows to skip", { from: 0 }) },
};

/** Members of a query that the paging sets: they are flags of every list, not of one endpoint. */
const paging = ["limit", "startKey", "offset"];

/** The members of query and body that become flags. */
export const endpointFlags = (endpoint: Endpoint, hidden: readonly string[]): Fields => {
  const skipped = endpoint.page ? [...hidden, ...paging] : hidden;
  const fields = { ...endpoint.query, ...endpoint.body?.entries };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !skipped.includes(name)));
};

export const secondFactorFlags = {
  otpBy: choice(["voice", "email"], "send a one-time code by voice call or e-mail"),
  otpTransaction: id("transaction of the code that was sent"),
  otp: text("one-time code; - reads it from standard input, @file from a file"),
};

/** Includes how long an unknown outcome is reconciled: a line that finishes a call later repeats these flags. */
const protectedFlags = {
  ...secondFactorFlags,
  settle: duration("how long to find out what an unanswered call did; default: 30s"),
};

export const needsSecondFactor = ({ endpoints }: Caller): boolean =>
  endpoints.some(({ secondFactor }) => secondFactor);
