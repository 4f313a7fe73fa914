/** What a change does to a text, line by line: `-` goes, `+` comes. */
import { sanitize } from "../text/safe.ts";

/** Lines that both have at the beginning and the end are left out; equal texts have no lines. */
export const changes = (before: string, after: string): string[] => {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const changed = (lines: readonly string[], mark: string) =>
    lines.slice(start, lines.length - end).map((line) => `${mark} ${sanitize(line)}`);
  return [...changed(old, "-"), ...changed(now, "+")];
};

const linesOf = (text: string): string[] => (text === "" ? [] : text.split(/\r?\n/));
