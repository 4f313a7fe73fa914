/** The rules of Kakao templates: what one may hold, and whether a message matches it. */

import * as v from "valibot";
import { list, text } from "../contract/fields.ts";
import { type TemplateButton, templateButton } from "../contract/kakao.ts";
import type { MessageInput } from "../contract/message-records.ts";
import { invalidInput, type Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { buttonLinks, buttonProblems } from "./check-members.ts";
import { template } from "./variables.ts";

const maxNameCharacters = 100;
const maxContentCharacters = 1000;

/** The parts of a template; a member that is left out is not checked. */
export interface TemplateParts {
  readonly name?: string | undefined;
  readonly content?: string | undefined;
  readonly buttons?: readonly TemplateButton[] | undefined;
}

/** Everything in a template that the service would refuse. */
export const templateProblems = ({ name, content, buttons = [] }: TemplateParts): Problem[] => [
  ...sizeProblems("name", name, maxNameCharacters),
  ...sizeProblems("content", content, maxContentCharacters),
  ...buttonProblems(buttons, "buttons", "ATA"),
];

const sizeProblems = (field: string, text: string | undefined, max: number): Problem[] => {
  if (text === undefined || (text !== "" && text.length <= max)) return [];
  const what = t`has ${text.length} characters; 1 to ${max} are allowed`;
  return [{ code: "InvalidValue", field, text: what }];
};

/** Values by the bare name: the service accepts both `#{name}` and `name`. */
export const bareVariables = (
  variables: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [bareName(name), value]));

const bareName = (name: string): string =>
  name.startsWith("#{") && name.endsWith("}") ? name.slice(2, -1).trim() : name;

/** The content with its values, the names without a value, and the values that it does not use. */
export const fillTemplate = (
  { content = "", buttons = [] }: TemplateParts,
  variables: Readonly<Record<string, string>>,
) => {
  const values = bareVariables(variables);
  const asked = askedNames({ content, buttons });
  const isGiven = (name: string) => Object.hasOwn(values, name);
  return {
    text: template(content).fill(values).text,
    buttons: buttons.map((button) => filledButton(button, values)),
    missing: asked.filter((name) => !isGiven(name)),
    empty: asked.filter((name) => isGiven(name) && values[name]?.trim() === ""),
    unused: Object.keys(values).filter((name) => !asked.includes(name)),
  };
};

/** The variables of its text, buttons and links, each once. */
export const askedNames = ({ content = "", buttons = [] }: TemplateParts): readonly string[] => {
  const all = [content, ...buttons.flatMap((it) => linksOf(it).concat(it.buttonName))];
  return [...new Set(all.flatMap((text) => template(text).names))];
};

const linksOf = (button: TemplateButton): string[] =>
  buttonLinks.flatMap((link) => button[link] ?? []);

const filledButton = (
  button: TemplateButton,
  values: Readonly<Record<string, string>>,
): TemplateButton => {
  const filled = { ...button, buttonName: template(button.buttonName).fill(values).text };
  for (const link of buttonLinks) {
    const address = button[link];
    if (address) filled[link] = template(address).fill(values).text;
  }
  return filled;
};

/** Whether a text is the template with each variable replaced by any text, and none left in place. */
export const matchesTemplate = (content: string, text: string): boolean => {
  const { names, parts: cut } = template(content);
  const parts = cut.filter((_, at) => at % 2 === 0);
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return text === first;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const left = template(text).names;
  if (names.some((name) => left.includes(name))) return false;
  return inOrder(parts.slice(1, -1), text.slice(first.length, text.length - last.length));
};

/** Leftmost matches suffice: an early match leaves the most text for the parts that follow. */
const inOrder = (parts: readonly string[], text: string): boolean => {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
};

type Buttons = NonNullable<NonNullable<MessageInput["kakaoOptions"]>["buttons"]>;

/** 1046, 1047, 1052 and 1045 for given buttons that differ from the template's. */
export const buttonsDiffer = (
  wanted: readonly TemplateButton[],
  given: Buttons,
): Problem | undefined => {
  const field = "kakaoOptions.buttons";
  const count = t`the template has ${wanted.length} buttons, the message ${given.length}`;
  if (given.length < wanted.length) return { code: "1046", field, text: count };
  if (given.length > wanted.length) return { code: "1047", field, text: count };
  const at = wanted.findIndex((button, index) => !isSameButton(button, given[index]));
  if (at >= 0)
    return { code: "1052", field, text: t`button ${at + 1} differs from the template's` };
  const wrong = wanted.findIndex((button, index) => !hasSameLinks(button, given[index]));
  return wrong < 0
    ? undefined
    : { code: "1045", field, text: t`button ${wrong + 1} has another address than the template's` };
};

const isSameButton = (wanted: TemplateButton, given: Buttons[number] | undefined): boolean =>
  given !== undefined &&
  wanted.buttonType.toUpperCase() === given.buttonType.toUpperCase() &&
  matchesTemplate(wanted.buttonName, given.buttonName);

const hasSameLinks = (wanted: TemplateButton, given: Buttons[number] | undefined): boolean =>
  buttonLinks.every((link) => !given?.[link] || matchesTemplate(wanted[link] ?? "", given[link]));

/** The flags for buttons: one by one, or all of them as JSON. */
export const buttonFlags = {
  button: list(
    text("a button, TYPE:name,mo=…,pc=…,and=…,ios=…: WL web, AL app, DS, BK, MD, BC, BT, AC"),
    "a button, TYPE:name,mo=…,pc=…,and=…,ios=…; types: WL AL DS BK MD BC BT AC",
  ),
  // A union of one: a plain list would take one object for each flag instead of the whole list.
  buttons: v.pipe(
    v.union([v.array(templateButton)]),
    v.description("all buttons as a JSON array, or @file"),
    v.metadata({ kind: "json" as const }),
  ),
} as const;

interface ButtonFlags {
  readonly button?: readonly string[] | undefined;
  readonly buttons?: readonly TemplateButton[] | undefined;
}

const shortNames = { mo: "linkMo", pc: "linkPc", and: "linkAnd", ios: "linkIos" } as const;
const isLink = (name: string | undefined): name is keyof typeof shortNames =>
  name !== undefined && Object.hasOwn(shortNames, name);

/** One button, or what is wrong with the words. An address may hold commas. */
export const readButton = (typed: string): TemplateButton | string => {
  const [, buttonType, rest] = /^([A-Za-z]{2}):(.+)$/s.exec(typed) ?? [];
  if (buttonType === undefined || rest === undefined)
    return t`takes TYPE:name, such as WL:View,mo=https://example.com, got '${typed}'`;
  const [name = "", ...pairs] = rest.split(/,(?=[A-Za-z]+=)/);
  const button: TemplateButton = { buttonType: buttonType.toUpperCase(), buttonName: name.trim() };
  for (const pair of pairs) {
    const [, key, address = ""] = /^([A-Za-z]+)=(.*)$/s.exec(pair) ?? [];
    if (!isLink(key)) return t`takes mo=, pc=, and=, ios=; not '${key ?? pair}='`;
    if (Object.hasOwn(button, shortNames[key])) return t`${key}= is given twice`;
    button[shortNames[key]] = address.trim();
  }
  return button;
};

/** The buttons that the flags give; undefined if they give none. Throws usage with what is wrong. */
const readButtons = ({ button, buttons }: ButtonFlags): TemplateButton[] | undefined => {
  if (button === undefined) return buttons && [...buttons];
  const read = button.map(readButton);
  const wrong = read.filter((it) => typeof it === "string");
  if (wrong.length > 0)
    throw invalidInput(wrong.map((text) => ({ code: "InvalidValue", field: "--button", text })));
  return [...(buttons ?? []), ...read.filter((it) => typeof it !== "string")];
};

/** The parts with the buttons of the flags. Throws usage with everything that the service would refuse. */
export const withButtons = <P extends TemplateParts>(given: P, flags: ButtonFlags) => {
  const buttons = readButtons(flags);
  const parts = { ...given, ...(buttons && { buttons }) };
  const problems = templateProblems(parts);
  if (problems.length === 0) return parts;
  throw invalidInput(
    problems.map((it) => ({ ...it, field: `--${it.field?.replace(/^buttons.*/, "button")}` })),
  );
};
