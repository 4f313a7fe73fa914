/** How a help text is laid out. */

/** Two columns, the second one below itself. */
export const alignColumns = (lines: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...lines.map(([left]) => left.length));
  return lines.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
};

/** Parts, each of its lines, with an empty line between two. */
export const joinSections = (parts: readonly (readonly string[])[]): string =>
  `${parts.map((lines) => lines.join("\n")).join("\n\n")}\n`;
