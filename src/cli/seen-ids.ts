/** Ids that tables have shown recently, by their member: for completion, and to find shortened ones again. */

import { join } from "node:path";
import * as v from "valibot";
import { ensureNamedDir, writeAtomically } from "../durable/atomic-write.ts";
import { quietly } from "../durable/files.ts";
import { createProcesses } from "../durable/processes.ts";
import { usageError } from "../errors.ts";
import { asRecord, readJson } from "../json/read-json.ts";
import { t } from "../locale/locale.ts";
import type { EnvironmentPort } from "../ports.ts";

type Environment = Pick<EnvironmentPort, "files" | "stateFolder" | "user" | "random">;

/** Newest first, by member: `groupId`, `templateId`, `run`. */
export type SeenIds = Readonly<Record<string, readonly string[]>>;

const seenIds = v.record(v.string(), v.array(v.string()));

/** This many of each are kept. */
const kept = 500;
/** What a table may shorten. */
const long = /^(?=.*\d)[\w-]{16,}$/;

/** Whether a member of this name holds an id. */
const isIdMember = (name: string): boolean => /^(run|\w*Id|handleKey)$/.test(name);

/** The ids among the members of a row. */
export const idsIn = (row: unknown): readonly (readonly [string, string])[] =>
  Object.entries(asRecord(row)).flatMap(([name, value]) =>
    isIdMember(name) && typeof value === "string" && long.test(value) ? [[name, value]] : [],
  );

const fileOf = ({ stateFolder }: Environment): string => join(stateFolder(), "seen-ids.json");

/** The ids shown before; none if they cannot be read. */
export const readSeenIds = (environment: Environment): SeenIds => {
  const stored = quietly(() => readJson(environment.files.read(fileOf(environment))));
  return v.is(seenIds, stored) ? stored : {};
};

/** Stores ids that were just shown. An id that cannot be stored has to be typed in full. */
export const rememberIds = (
  environment: Environment,
  shown: readonly (readonly [string, string])[],
): void => {
  if (shown.length === 0) return;
  const { files, stateFolder, user, random } = environment;
  const all: Record<string, readonly string[]> = { ...readSeenIds(environment) };
  for (const [name, id] of shown.toReversed())
    all[name] = [...new Set([id, ...(all[name] ?? [])])].slice(0, kept);
  quietly(() => {
    ensureNamedDir(files, stateFolder(), user.uid);
    const text = Buffer.from(`${JSON.stringify(all)}\n`);
    const processes = createProcesses(files, user);
    writeAtomically(files, fileOf(environment), text, { random, processes });
  });
};

/** A command's words by the name of their place, with shortened ids completed. */
export const withWholeIds = (
  { environment }: { readonly environment: Environment },
  args: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(args).map(([name, words]) => [
      name,
      isIdMember(name) ? words.map((it) => wholeId(environment, it)) : words,
    ]),
  );

/**
 * The id that a table showed as `G4V2026…WCW`; a text of any other form as it is. Throws usage if
 * several shown ids have these ends, or none has.
 */
const wholeId = (environment: Environment, typed: string): string => {
  const [, head, tail] = /^([\w-]{3,})(?:…|\.{2,3})([\w-]{2,})$/.exec(typed) ?? [];
  if (head === undefined || tail === undefined) return typed;
  const ids = new Set(Object.values(readSeenIds(environment)).flat());
  const found = [...ids].filter(
    (id) => id.length > head.length + tail.length && id.startsWith(head) && id.endsWith(tail),
  );
  if (found[0] !== undefined && found.length === 1) return found[0];
  throw usageError(
    found.length === 0
      ? t`'${typed}' matches no id that was shown recently`
      : t`'${typed}' matches ${found.length} ids: ${found.slice(0, 3).join(", ")}`,
    { code: "AmbiguousId", todo: t`give the whole id: --wide and -o tsv show it` },
  );
};
