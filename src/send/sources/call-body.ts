/** A whole body of the service's call, `{"messages":[…],"strict":true}`: what it says beside its messages. */

import * as v from "valibot";
import { agent } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { replay } from "./open-source.ts";

const names = "messages|strict|agent|allowDuplicates";

/** An object that is no row: its first member is one of the call's. */
export const callBody = new RegExp(`^\\s*\\{\\s*"(?:${names})"\\s*:`);

/** One member of the call, as the scanner passes over it. */
const member = `"(?:strict|agent|allowDuplicates)"\\s*:\\s*(?:true|false|null|\\{[^{}]*\\})\\s*`;
export const bodyOpening = new RegExp(`\\{\\s*(?:${member},\\s*)*"messages"\\s*:\\s*\\[`, "y");
export const bodyClosing = new RegExp(`(?:,\\s*${member})*\\}`, "y");

const members = v.object({
  strict: v.optional(v.nullable(v.boolean())),
  allowDuplicates: v.optional(v.nullable(v.boolean())),
  agent: v.optional(v.nullable(agent)),
});
export type BodyMembers = v.InferOutput<typeof members>;

/** Bytes of a body at most; the service takes 15 MB. Of a longer source only the messages are read. */
const maxBytes = 16 * 1024 * 1024;

interface Peeked {
  readonly body: BodyMembers;
  /** The same bytes, from the first on. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Reads a body ahead, to know how its messages are to be checked and sent; any other source is left as it
 * is, to be read piece by piece.
 */
export const peekBody = async (source: AsyncIterable<Uint8Array>): Promise<Peeked> => {
  const pieces = source[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let size = 0;
  let isBody = true;
  let isOver = false;
  while (isBody && !isOver && size < maxBytes) {
    const { value, done = false } = await pieces.next();
    isOver = done;
    if (value) read.push(value);
    size += value?.length ?? 0;
    // Enough to know it, however the source trickles.
    if (size > 100 || isOver) isBody = callBody.test(headOf(read));
  }
  return {
    body: isBody && isOver ? membersIn(Buffer.concat(read)) : {},
    bytes: replay(read, pieces),
  };
};

const headOf = (read: readonly Uint8Array[]): string =>
  Buffer.concat(read.slice(0, 2))
    .toString("utf8", 0, 300)
    .replace(/^\uFEFF/, "");

/** What is no JSON is reported by who reads the rows. */
const membersIn = (bytes: Buffer): BodyMembers => {
  try {
    return v.parse(members, JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, "")));
  } catch {
    return {};
  }
};

interface CallFlags {
  readonly strict?: boolean | undefined;
  readonly allowDuplicates?: boolean | undefined;
  readonly agent?: Readonly<Record<string, string>> | undefined;
}

/** The flags with what the body says. Throws usage, naming both, where they differ. */
export const mergeBody = <F extends CallFlags>(flags: F, body: BodyMembers): F => {
  for (const name of ["strict", "allowDuplicates", "agent"] as const) {
    const [typed, own] = [flags[name], body[name]];
    if (typed === undefined || own === undefined || own === null) continue;
    if (JSON.stringify(typed) === JSON.stringify(own)) continue;
    const flag = name === "allowDuplicates" ? "allow-duplicates" : name;
    throw usageError(t`"${name}": ${JSON.stringify(own)} in the source and --${flag} differ`, {
      code: "InvalidUsage",
      todo: t`nothing was sent; leave one of them out`,
    });
  }
  const agentOf = Object.fromEntries(Object.entries(body.agent ?? {}).filter(([, it]) => it));
  return {
    ...flags,
    ...(typeof body.strict === "boolean" && { strict: body.strict }),
    ...(typeof body.allowDuplicates === "boolean" && { allowDuplicates: body.allowDuplicates }),
    ...(body.allowDuplicates && { dedupe: "off" as const }),
    ...(Object.keys(agentOf).length > 0 && { agent: agentOf }),
    ...definedOf(flags),
  };
};

/** What was typed wins where both say the same. */
const definedOf = (flags: CallFlags) =>
  Object.fromEntries(Object.entries(flags).filter(([, it]) => it !== undefined));
