/** The JSON of files that a person may have edited: errors that name the place and never the content. */

import * as v from "valibot";
import { type MsgError, usageError } from "../errors.ts";
import { asRecord, describeJsonFault, parseJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";

/**
 * Reads a file's text by a schema. Throws MsgError (usage) that names the file and the place, also for
 * a member that the schema does not know. `orElse` says what to do if the file is beyond repair.
 */
export const parseFile = <S extends v.GenericSchema>(
  schema: S,
  text: string,
  file: string,
  orElse: string,
): v.InferOutput<S> => {
  // Undecodable text would be written back as replacement characters.
  if (text.includes("\ufffd"))
    throw brokenFileError(file, t`${`'${file}'`} is not UTF-8 text`, t`save it as UTF-8`);
  const { value: raw, fault } = parseJson(text);
  if (fault) {
    const todo = t`the file is unchanged; fix it, or move it away and ${orElse}`;
    throw brokenFileError(file, t`'${file}' is not JSON (${describeJsonFault(text, fault)})`, todo);
  }
  const read = v.safeParse(schema, raw, { abortEarly: true });
  if (!read.success) throw schemaError(read.issues[0], raw, file);
  return read.output;
};

/** What a schema found wrong with a file: the member and what it should be. */
const schemaError = (issue: v.BaseIssue<unknown>, raw: unknown, file: string): MsgError => {
  const { version } = asRecord(raw);
  if (typeof version === "number" && version > 1)
    return brokenFileError(
      file,
      t`'${file}' has version ${version}; this msg knows version 1`,
      t`update msg; the file is unchanged`,
    );
  const path = (issue.path ?? []).map((part) => String(part.key)).join(".");
  return brokenFileError(
    file,
    `'${file}': ${describeIssue(issue, path)}`,
    t`the file is unchanged; fix that place`,
  );
};

const describeIssue = (
  { type, expected, received }: v.BaseIssue<unknown>,
  path: string,
): string => {
  if (expected === "never") return t`'${path}' is unknown`;
  if (type.endsWith("object") && received === "undefined") return t`'${path}' is missing`;
  return expected === null ? t`'${path}' is not valid` : t`'${path}' must be ${expected}`;
};

const brokenFileError = (file: string, what: string, todo: string): MsgError =>
  usageError(what, { code: "BrokenFile", where: file, todo });
