/** Buttons as they are typed: `WL:이름,mo=https://…,pc=https://…`. */

import * as v from "valibot";
import { list, text } from "../contract/fields.ts";
import { type TemplateButton, templateButton } from "../contract/kakao-templates.ts";
import type { Problem } from "../errors.ts";
import { invalidInput } from "../errors.ts";
import { templateProblems } from "./kakao-template.ts";

/** The flags that give buttons: one by one, or all of them as JSON. */
export const buttonFlags = {
  button: list(
    text("a button, TYPE:name,mo=…,pc=…,and=…,ios=…: WL web, AL app, DS, BK, MD, BC, BT, AC"),
    "a button, TYPE:name,mo=…,pc=…,and=…,ios=…; the types are WL AL DS BK MD BC BT AC",
  ),
  // A union of one: a plain list would take one object a flag instead of the whole list.
  buttons: v.pipe(
    v.union([v.array(templateButton)]),
    v.description("all buttons as a JSON array, or @file"),
    v.metadata({ kind: "json" as const }),
  ),
} as const;

export interface ButtonFlags {
  readonly button?: readonly string[] | undefined;
  readonly buttons?: readonly TemplateButton[] | undefined;
}

const links = { mo: "linkMo", pc: "linkPc", and: "linkAnd", ios: "linkIos" } as const;
const isLink = (name: string | undefined): name is keyof typeof links =>
  name !== undefined && name in links;

/** One button, or what is wrong with the words. An address may hold commas. */
export const readButton = (typed: string): TemplateButton | string => {
  const [, buttonType, rest] = /^([A-Za-z]{2}):(.+)$/s.exec(typed) ?? [];
  if (buttonType === undefined || rest === undefined)
    return `takes TYPE:name, such as WL:View,mo=https://example.com, got '${typed}'`;
  const [name = "", ...pairs] = rest.split(/,(?=[A-Za-z]+=)/);
  const button: TemplateButton = { buttonType: buttonType.toUpperCase(), buttonName: name.trim() };
  for (const pair of pairs) {
    const [, key, address = ""] = /^([A-Za-z]+)=(.*)$/s.exec(pair) ?? [];
    if (!isLink(key)) return `knows mo=, pc=, and=, ios=; not '${key}='`;
    button[links[key]] = address.trim();
  }
  return button;
};

/** The buttons that the flags give; undefined where they give none. Throws usage with what is wrong. */
export const readButtons = ({ button, buttons }: ButtonFlags): TemplateButton[] | undefined => {
  if (button === undefined) return buttons && [...buttons];
  const problems: Problem[] = [];
  const read: TemplateButton[] = [];
  for (const typed of button) {
    const one = readButton(typed);
    if (typeof one === "string")
      problems.push({ code: "InvalidValue", field: "--button", text: one });
    else read.push(one);
  }
  if (problems.length > 0) throw invalidInput(problems);
  return [...(buttons ?? []), ...read];
};

/** What the service would refuse, found here. Throws usage with all of it. */
export const checkParts = (parts: Parameters<typeof templateProblems>[0]): void => {
  const problems = templateProblems(parts);
  if (problems.length === 0) return;
  throw invalidInput(
    problems.map((it) => ({ ...it, field: `--${it.field?.replace(/^buttons.*/, "button")}` })),
  );
};
