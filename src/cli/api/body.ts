/** The members that `-f`, `-F` and `--input` give. */

import type { Context } from "../context.ts";
import { parseJsonFlag, readObject } from "../parse/read-text.ts";

export interface BodyFlags {
  readonly field?: Readonly<Record<string, string>> | undefined;
  readonly typedField?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | undefined;
}

const quotes = "texts need quotes in JSON: -F name:='\"value\"', or -f name=value";

/** Fields are laid over the members of `--input`; undefined where nothing was given. */
export const readBody = async (
  ctx: Context,
  { field, typedField, input }: BodyFlags,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const given = input === undefined ? undefined : await readObject(ctx, input);
  if (given === undefined && field === undefined && typedField === undefined) return undefined;
  const typed: (readonly [string, unknown])[] = [];
  for (const [typedName, text] of Object.entries(typedField ?? {})) {
    const name = typedName.replace(/:$/, "");
    typed.push([name, await parseJsonFlag(`-F ${name}`, text, quotes)]);
  }
  return { ...given, ...field, ...Object.fromEntries(typed) };
};
