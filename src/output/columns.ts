/** The columns of a table as a person reads them: header words and safe cells. */

import type { Reader } from "./fields.ts";
import { tableText } from "./text/cell.ts";
import { sanitize } from "./text/safe.ts";
import type { View } from "./view.ts";

export interface ReadableColumn {
  /** `DATE CREATED` for `dateCreated`. */
  readonly title: string;
  /** The member's own name, as `--fields` takes it. */
  readonly name: string;
  readonly text: (row: unknown) => string;
  /** Whether a row holds a number here, or nothing. */
  readonly isNumber: (row: unknown) => boolean | undefined;
}

/** Cells are composed (NFC), because terminals and width tables disagree on loose Hangul letters. */
export const readable = (view: View, readers: readonly Reader[]): ReadableColumn[] => {
  const text = tableText(view);
  return readers.map(({ name, value }) => {
    return {
      title: sanitize(titleOf(name)),
      name: sanitize(name),
      text: (row) => sanitize(text(value(row)).normalize("NFC")),
      isNumber: (row) => {
        const cell = value(row);
        return cell === null || cell === undefined ? undefined : typeof cell === "number";
      },
    };
  });
};

const titleOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toUpperCase();
