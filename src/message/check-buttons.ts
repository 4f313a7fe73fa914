/** The rules of buttons that need no template: part of check 11 of a registration. */

import type { MessageInput } from "../contract/message-records.ts";
import type { Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Check } from "./check-members.ts";

type Button = NonNullable<NonNullable<MessageInput["kakaoOptions"]>["buttons"]>[number];

const maxButtons = 5;
const maxNameCharacters = 14;
const maxLinkCharacters = 100;

/** Each kind of button with the addresses that it needs. */
const needed: Readonly<Record<string, readonly Link[]>> = {
  WL: ["linkMo"],
  AL: ["linkAnd", "linkIos"],
  DS: [],
  BK: [],
  MD: [],
  BC: [],
  BT: [],
  AC: [],
};
/** The addresses that a button may have. */
export const buttonLinks = ["linkMo", "linkPc", "linkAnd", "linkIos"] as const;
type Link = (typeof buttonLinks)[number];
/** Web addresses for WL, any scheme for apps; a variable may stand for all or part. */
const web = /^(https?:\/\/\S|#\{)/i;
const scheme = /^([a-z][a-z0-9+.-]*:\S|#\{)/i;

/** 1044, 1045, 1048, 1049, 1050, 1053: the lowest code first, as the table lists them. */
export const buttonProblem: Check = ({ message, type }) => {
  const buttons = message.kakaoOptions?.buttons;
  if (!buttons?.length) return undefined;
  return buttonProblems(buttons, "kakaoOptions.buttons", type)[0];
};

/** Everything wrong with a set of buttons, the lowest code first; `type` is that of the message. */
export const buttonProblems = (
  buttons: readonly Button[],
  field: string,
  type: string,
): Problem[] => {
  const found = buttons.flatMap((button, index) =>
    faults(button, index, `${field}.${index}`, type),
  );
  if (buttons.length > maxButtons) {
    const text = t`${buttons.length} buttons; at most ${maxButtons} are allowed`;
    found.push({ code: "1050", field, text });
  }
  return found.sort((a, b) => Number(a.code) - Number(b.code));
};

const faults = (button: Button, index: number, field: string, type: string): Problem[] => {
  const found: Problem[] = [];
  const add = (code: string, text: string) => found.push({ code, field, text });
  const at = index + 1;
  const kind = button.buttonType.toUpperCase();
  if (!Object.hasOwn(needed, kind))
    add("1044", t`button ${at} has the unknown type "${button.buttonType}"`);
  if (!button.buttonName) add("1044", t`button ${at} has no name`);
  const broken = brokenLink(button, kind);
  if (broken) add("1045", t`button ${at} has no valid ${broken}`);
  const long = buttonLinks.find((link) => (button[link]?.length ?? 0) > maxLinkCharacters);
  if (long) add("1048", t`button ${at} has a ${long} longer than ${maxLinkCharacters} characters`);
  if (button.buttonName.length > maxNameCharacters) {
    add("1049", t`button ${at} has a name longer than ${maxNameCharacters} characters`);
  }
  if (kind === "DS" && type !== "ATA")
    add("1053", t`button ${at} tracks a delivery, which Friendtalk cannot`);
  return found;
};

const brokenLink = (button: Button, kind: string): Link | undefined => {
  const lacking = (needed[kind] ?? []).find((link) => !button[link]);
  if (lacking) return lacking;
  return buttonLinks.find((link) => {
    const address = button[link];
    if (!address) return false;
    return !(link === "linkMo" || link === "linkPc" ? web : scheme).test(address);
  });
};
