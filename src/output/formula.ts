/** Text that a spreadsheet would run as a formula. */

/** What opens a formula, or is skipped in front of one (OWASP, "CSV injection"). */
const opening = /^[=+\-@\t\r\n＝＋－＠]/;
/** A number or a phone number: nothing to run, and a mark in front would break it for programs. */
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** The text with `'` in front where a spreadsheet would calculate it (reliability.md I08). */
export const withoutFormula = (text: string): string =>
  opening.test(text) && !plainNumber.test(text) ? `'${text}` : text;
