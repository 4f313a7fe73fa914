/** The members that `-f`, `-F` and `--input` give. */
import type { Context } from "../../context.ts";
import { usage } from "../../errors.ts";

export interface BodyFlags {
  readonly field?: Readonly<Record<string, string>> | undefined;
  readonly typedField?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | undefined;
}

/** Fields are laid over the members of `--input`; undefined where nothing was given. */
export const bodyOf = async (
  ctx: Context,
  { field, typedField, input }: BodyFlags,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const given = input === undefined ? undefined : await readMembers(ctx, input);
  if (given === undefined && field === undefined && typedField === undefined) return undefined;
  const typed = Object.entries(typedField ?? {}).map(([name, text]) => [
    name.replace(/:$/, ""),
    parse(`-F ${name}`, text),
  ]);
  return { ...given, ...field, ...Object.fromEntries(typed) };
};

const readMembers = async (
  ctx: Context,
  path: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ctx.read(path)) chunks.push(chunk);
  const value = parse("--input", Buffer.concat(chunks).toString("utf8"));
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw usage("--input is not a JSON object", { code: "InvalidValue" });
};

const parse = (label: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of the parser's words repeats the text, which may hold a secret.
    const place = / at position \d+/.exec(error instanceof Error ? error.message : "")?.[0] ?? "";
    throw usage(`${label} is not JSON${place}`, {
      code: "InvalidValue",
      todo: "texts need quotes in JSON: -F name:='\"value\"', or -f name=value",
    });
  }
};
