/** A body of the service's call as a source, `{"messages":[…],"strict":true}`: its members except the messages. */

import * as v from "valibot";
import { agent } from "../../contract/message-records.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { MessageFlags } from "../messages/message-flags.ts";
import { decodeText, type Encoding } from "./decode.ts";
import { replay } from "./open-source.ts";

const names = "messages|strict|agent|allowDuplicates";

/** An object whose first member is one of the call, so it is not a row. */
export const callBody = new RegExp(`^\\s*\\{\\s*"(?:${names})"\\s*:`);

/** One member of the call, as the scanner skips it. */
const member = `"(?:strict|agent|allowDuplicates)"\\s*:\\s*(?:true|false|null|\\{[^{}]*\\})\\s*`;
export const bodyOpening = new RegExp(`\\{\\s*(?:${member},\\s*)*"messages"\\s*:\\s*\\[`, "y");
export const bodyClosing = new RegExp(`(?:,\\s*${member})*\\}`, "y");

const members = v.object({
  strict: v.optional(v.nullable(v.boolean())),
  allowDuplicates: v.optional(v.nullable(v.boolean())),
  agent: v.optional(v.nullable(v.strictObject(agent.entries))),
});
export type BodyMembers = v.InferOutput<typeof members>;

/** Whether a skipped part of the call asks for more than its messages. */
export const asksForMore = (passed: string): boolean =>
  /"(?:strict|allowDuplicates)"\s*:\s*true|"agent"\s*:\s*\{\s*"/.test(passed);

/** At most this many bytes in a body; the service takes 15 MB. A longer source may have only messages. */
const maxBytes = 16 * 1024 * 1024;

/** What a source is called in errors, and its encoding if that is known. */
interface Named {
  readonly name: string;
  readonly encoding?: Encoding | undefined;
}

/**
 * Reads a body ahead, since it says how its messages are to be checked and sent; any other source is still read
 * piece by piece. `bytes`: the same source, from its beginning. `isTooLong`: what else it says is not known.
 */
export const peekBody = async (source: AsyncIterable<Uint8Array>, named: Named) => {
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
    body: isBody && isOver ? await membersIn(read, named) : {},
    bytes: replay(read, pieces),
    isTooLong: isBody && !isOver,
  };
};

/** Its ASCII letters, in any encoding: all that the beginning of a body has. */
const headOf = (read: readonly Uint8Array[]): string =>
  Buffer.concat(read.slice(0, 2))
    .toString("latin1", 0, 300)
    .replace(/[^\t\n\r -~]/g, "");

/** Throws usage for an invalid member: it would be skipped, and the others with it. */
const membersIn = async (read: readonly Uint8Array[], named: Named): Promise<BodyMembers> => {
  const parsed = v.safeParse(members, await jsonIn(read, named));
  if (parsed.success) return parsed.output;
  throw usageError(t`"${v.getDotPath(parsed.issues[0]) ?? ""}" in the source is not valid`, {
    code: "InvalidValue",
    where: named.name,
    todo: t`nothing was sent; fix it there`,
  });
};

/** The reader of the rows reports text that is not JSON, or cannot be decoded. */
const jsonIn = async (read: readonly Uint8Array[], named: Named): Promise<unknown> => {
  try {
    const texts: string[] = [];
    for await (const text of decodeText(replay(read), named)) texts.push(text);
    return JSON.parse(texts.join(""));
  } catch {
    return {};
  }
};

type CallFlags = Pick<MessageFlags, "strict" | "allowDuplicates" | "agent">;

/** The flags, and members of the body that no flag gives. Throws usage if they differ. */
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
