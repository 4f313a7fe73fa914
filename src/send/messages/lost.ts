/** Emoji and other characters that phones in Korea may not show: warned of, and sent as they are. */

import type { MessageInput } from "../../contract/message-records.ts";
import { t } from "../../locale/locale.ts";
import { findLostCharacter } from "../../message/characters.ts";
import { formatRowCount } from "../../message/price.ts";
import { detectType, isKakaoType } from "../../message/type.ts";
import type { Ports } from "../../ports.ts";

/** The first of them in a message; Kakao shows all of them. */
export const findLost = (message: MessageInput): string | undefined => {
  const lost = findLostCharacter(`${message.subject ?? ""}${message.text ?? ""}`);
  return lost === undefined || isKakaoType(detectType(message)) ? undefined : lost;
};

/** Warns once, for all rows of a source: of the text that they share, or of the first row. */
export const createLostReporter = (ctx: Ports, shared: string | undefined) => {
  const inShared = shared === undefined ? undefined : findLostCharacter(shared);
  const found: { rows: number; first?: string } = { rows: 0 };
  return {
    add: (row: number, character: string): void => {
      found.rows += 1;
      found.first ??= t`"${character}" in row ${row}`;
    },
    report: async (): Promise<void> => {
      if (inShared !== undefined) await ctx.note(lostText(t`"${inShared}" in the text`));
      else if (found.first !== undefined)
        await ctx.note(
          lostText(
            found.rows > 1 ? t`${found.first}, ${formatRowCount(found.rows)} in all` : found.first,
          ),
        );
    },
  };
};

/** `"😀" in row 3: a phone may not show it`. */
export const lostText = (what: string): string =>
  t`${what}: a phone may not show it; --strict refuses such characters`;
