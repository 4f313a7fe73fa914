/** A body of the service's call as a source, `{"messages":[…],"strict":true}`: its members beside the messages. */

import * as v from "valibot";
import { agent } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { replay } from "./open-source.ts";

const names = "messages|strict|agent|allowDuplicates";

/** An object whose first member is one of the call, so it is not a row. */
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

/**
 * Reads a body ahead, since it says how its messages are to be checked and sent; any other source is still read
 * piece by piece. `bytes`: the same source, from its beginning.
 */
export const peekBody = async (source: AsyncIterable<Uint8Array>) => {
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
    // Enough to recognise a body, even if the source comes in small pieces.
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

/** Text that is not JSON is reported by the reader of the rows. */
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

/** The flags, and members of the body that no flag gives. Throws usage where they differ. */
export const mergeBody = <F extends CallFlags>(flags: F, body: BodyMembers): F => {
  for (const name of ["strict", "allowDuplicates", "agent"] as const) {
    const [typed, own] = [flags[name], body[name]];
    if (typed === undefined || own === undefined || own === null) continue;
    if (JSON.stringify(typed) === JSON.stringify(own)) continue;
    const flag = name === "allowDuplicates" ? "allow-duplicates" : name;
    throw usageError(t`"${name}": ${JSON.stringify(own)} in the source and --${flag} differ`, {
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
    ...Object.fromEntries(Object.entries(flags).filter(([, it]) => it !== undefined)),
  };
};
