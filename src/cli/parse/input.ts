/** Turns typed values, or those of a file, into an endpoint's input: where they go, and whether they fit. */

import * as v from "valibot";
import { describeIssue } from "../../contract/bounded.ts";
import {
  type Endpoint,
  type Fields,
  pathParams,
  type UntypedRequest,
} from "../../contract/endpoint.ts";
import { factsOf, kebab, membersOf } from "../../contract/fields.ts";
import { invalidInput, invalidValue, type Problem, usageError } from "../../errors.ts";
import { asRecord, describeJsonFault, isRecord, parseJson } from "../../json/read-json.ts";
import { t, translated } from "../../locale/locale.ts";
import { normaliseNumber } from "../../message/numbers.ts";
import type { Context } from "../context.ts";

/** Digits as a send would normalise them; anything but a number of this country stays as typed. */
export const phoneDigits = (typed: string): string => normaliseNumber(typed).digits ?? typed;

/** Values by name, their types known only to the schemas that read them. */
export interface UntypedInput extends UntypedRequest {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Questions were answered to complete it. */
  readonly isPrompted?: boolean;
}

/** Puts each value where the endpoint declares its name. `--input` supplies members of the body. */
export const placeInput = (endpoint: Endpoint, given: UntypedInput): UntypedInput => {
  const values = { ...given.args, ...given.flags };
  const pick = (names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
    );
  const params = Object.fromEntries(
    pathParams(endpoint.path).map((name) => [name, String(values[name] ?? "")]),
  );
  return {
    ...(pathParams(endpoint.path).length > 0 && { params }),
    ...(endpoint.query && { query: withDigits(endpoint.query, pick(Object.keys(endpoint.query))) }),
    ...(endpoint.body && {
      body: { ...asRecord(given.body), ...pick(Object.keys(endpoint.body.entries)) },
    }),
  };
};

/** Numbers in filters match sent messages, however the numbers are written. */
const withDigits = (fields: Fields, query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const field = fields[name];
      const isPhone = field !== undefined && factsOf(field).kind === "phone";
      return [name, isPhone && typeof value === "string" ? phoneDigits(value) : value];
    }),
  );

/** Checks the body by the contract's schema: what the service would refuse as malformed is not sent. */
export const checkInput = (
  endpoint: Endpoint,
  input: UntypedInput,
  args: readonly string[],
): void => {
  if (!endpoint.body) return;
  const result = v.safeParse(endpoint.body, input.body, { message: describeIssue });
  if (result.success) return;
  const members = membersOf(endpoint.body);
  const problems: Problem[] = result.issues.map((issue) => {
    const path = v.getDotPath(issue) ?? "";
    const member = members[path];
    const isFlag = member !== undefined && factsOf(member).kind !== "secret";
    const name = isFlag ? (factsOf(member).flag ?? kebab(path)) : path;
    const flag = isFlag ? `--${name}` : name;
    const field = args.includes(path) ? `<${name}>` : flag;
    return { code: "InvalidValue", field, text: issue.message };
  });
  throw invalidInput(problems);
};

/** The input of an endpoint that is known only as a value: its schemas have read every member. */
export const untypedInput = (input: UntypedRequest) => input as never;

type Reader = Pick<Context, "io">;

/** All of a file, or of standard input for `-`. Throws usage if it is not UTF-8. */
export const readText = async (ctx: Reader, path: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of ctx.io.read(path)) chunks.push(chunk);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    const source = path === "-" ? t`standard input` : `'${path}'`;
    throw usageError(t`${source} is not UTF-8 text`, { todo: t`save it as UTF-8` });
  }
};

/** A text without the line break that editors and `echo` put at its end. */
export const trimLineBreak = (text: string): string => text.replace(/\r?\n$/, "");

/** The object of `--input`. Throws usage without repeating the text, which may hold a card number. */
export const readObject = async (
  ctx: Reader,
  path: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const value = parseJsonFlag("--input", await readText(ctx, path), translated(oneObject));
  if (isRecord(value)) return value;
  throw invalidValue(t`--input is not one JSON object`, translated(oneObject));
};

const oneObject = "give one JSON object with the endpoint's members";

/** The JSON of the flag `label`. Throws usage with only the place: the parser's message repeats the text. */
export const parseJsonFlag = (label: string, text: string, todo: string): unknown => {
  const { value, fault } = parseJson(text);
  if (fault === undefined) return value;
  throw invalidValue(t`${label} is not JSON: ${describeJsonFault(text, fault)}`, todo);
};
