/** Examines a text without sending it: its size, its type, and everything that is wrong with it. */

import type { MessageInput } from "../contract/message-records.ts";
import type { Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { type CharacterProblem, isInKsx1001, textProblem } from "./characters.ts";
import { advertisingProblems, typeProblem } from "./check.ts";
import { bodyProblem, candidate, subjectProblem } from "./check-members.ts";
import { sizeInBytes } from "./type.ts";

/** One thing that is wrong. `at` counts UTF-16 units of its field from 1; null if the problem has no position. */
interface Flaw {
  readonly code: string;
  readonly at: number | null;
  readonly character: string | null;
  readonly text: string;
}

/** What `msg text check` prints. */
export type Examined = ReturnType<typeof examine>;

/** A problem, with the character if a single one causes it. */
type Found = Problem & Partial<Pick<CharacterProblem, "at" | "character">>;

/** Passes unless the call is strict: on its own this flaw causes no refusal. */
export const outsideCode = "1029";

/** The sizes and the type of a text, and what is wrong with it: first what the service would refuse it for. */
export const examine = (
  message: Pick<MessageInput, "text" | "subject" | "type">,
  isAdvertising: boolean,
) => {
  const { text = "", subject = "" } = message;
  const asked = candidate(message);
  const found: (Found | undefined)[] = [
    text === "" ? { code: "1010", text: t`there is no text` } : undefined,
    typeProblem(asked),
    textProblem("text", text, false),
    textProblem("subject", subject, false),
    subjectProblem(asked),
    bodyProblem(asked),
    ...(isAdvertising ? advertisingProblems(text) : []),
  ];
  return {
    characters: text.length,
    bytes: sizeInBytes(text),
    type: asked.type,
    subjectBytes: sizeInBytes(subject),
    problems: [
      ...found.flatMap((problem) => (problem ? flawOf(problem) : [])),
      ...outside("text", text),
      ...outside("subject", subject),
    ],
  };
};

const flawOf = ({ code, at, character, text }: Found): Flaw => ({
  code,
  at: at === undefined ? null : at + 1,
  character: character ?? null,
  text,
});

/** Every character outside KS X 1001, with its position. */
const outside = (field: string, text: string): Flaw[] => {
  const flaws: Flaw[] = [];
  let at = 1;
  for (const character of text) {
    const code = character.charCodeAt(0);
    const isFine = character.length === 1 && isInKsx1001(code);
    // Controls and half pairs have checks of their own.
    if (!isFine && code >= 0xa0 && !/^[\ud800-\udfff]$/.test(character)) {
      const text = t`"${character}", character ${at} of ${field}, is outside KS X 1001 (완성형)`;
      flaws.push({ code: outsideCode, at, character, text });
    }
    at += character.length;
  }
  return flaws;
};
