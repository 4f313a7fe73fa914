/** The limits that the contract declares, as lines of `msg help limits`. */

import { type Endpoint, type Fields, maxRows } from "../../contract/endpoint.ts";
import { bareOf, describe, itemOf, membersOf } from "../../contract/fields.ts";
import { maxInGroup } from "../../contract/groups.ts";
import { contract } from "../../contract/index.ts";
import { maxRecipients } from "../../contract/messages.ts";
import { fileTypes } from "../../contract/storage.ts";
import { t, translated } from "../../locale/locale.ts";
import { describeRules } from "../../message/file-rules.ts";
import { alignColumns, indented } from "../help/group-help.ts";

/** Words that state a limit; the end of a period (`up to this day`) is not one. */
const limit =
  /\d.* (digits|characters|recipients|won|to [\d,]+)|(up to|at most) (?!this)\w+|\d+ months/;

/** The limits of fields and of the members of their items. */
const limitsOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const words = describe(field);
    const own: [string, string][] = limit.test(words) ? [[name, translated(words)]] : [];
    const listed = bareOf(field) ?? field;
    return [...own, ...limitsOf(membersOf(itemOf(listed) ?? listed))];
  });

/** Grouped by the sentence of each endpoint with limits; a shared sentence is listed once. */
export const limitLines = (columns: number): string[] => {
  const known = new Set<string>();
  const sections = Object.values<Endpoint>(contract).flatMap(({ does, query, body }) => {
    const own = limitsOf({ ...query, ...body?.entries }).filter(
      ([name, words]) => !known.has(`${name} ${words}`) && known.add(`${name} ${words}`),
    );
    return own.length === 0 ? [] : ["", `${translated(does)}:`, ...alignColumns(own, columns)];
  });
  const counts = [
    [t`recipients per call`, maxRecipients],
    [t`messages per group`, maxInGroup],
    [t`rows per page`, maxRows],
  ] as const;
  return [
    ...alignColumns(
      counts.map(([what, max]) => [what, max.toLocaleString("en-US")]),
      columns,
    ),
    ...sections,
    "",
    t`Files:`,
    ...fileTypes.flatMap((type) => indented(describeRules(type), columns)),
  ];
};
