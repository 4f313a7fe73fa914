/** Two prompts of our own: a list that is filtered as a person types (신한 leaves 신한은행), and yes or no. */
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isTabKey,
  isUpKey,
  makeTheme,
  type Theme,
  useKeypress,
  usePagination,
  usePrefix,
  useState,
} from "@inquirer/core";
import { t } from "../locale/locale.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface QuestionConfig {
  readonly message: string;
  readonly theme?: { readonly prefix: Theme["prefix"]; readonly style: Partial<Theme["style"]> };
}

interface PickerConfig extends QuestionConfig {
  readonly choices: readonly Choice[];
}

/** Choices on the screen at once. */
const pageSize = 9;

/** Hangul typed on a Mac comes decomposed. */
const comparable = (text: string): string => text.normalize("NFC").toLowerCase();

const matching = (choices: readonly Choice[], typed: string): readonly Choice[] => {
  const words = comparable(typed).split(/\s+/);
  return choices.filter(({ label }) => words.every((it) => comparable(label).includes(it)));
};

/** Asks for one of several; Enter takes the one at the cursor. */
export const pick = createPrompt<string, PickerConfig>((config, done) => {
  const theme = makeTheme(config.theme);
  const [status, setStatus] = useState<"idle" | "done">("idle");
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const prefix = usePrefix({ status, theme });
  const found = matching(config.choices, typed);
  const chosen = found[active];

  useKeypress((key, line) => {
    if (isEnterKey(key)) {
      // Enter empties the line; keep the typed text if there is nothing to take.
      if (chosen === undefined) return line.write(typed);
      setStatus("done");
      return done(chosen.value);
    }
    if (isUpKey(key)) return setActive(Math.max(0, active - 1));
    if (isDownKey(key)) return setActive(Math.min(Math.max(0, found.length - 1), active + 1));
    // A tab is not part of a name.
    if (isTabKey(key)) {
      line.clearLine(0);
      line.write(typed);
    }
    setTyped(line.line);
    if (line.line !== typed) setActive(0);
  });

  const page = usePagination({
    items: found,
    active,
    renderItem: ({ item, isActive }) =>
      isActive ? theme.style.highlight(`❯ ${item.label}`) : `  ${item.label}`,
    pageSize,
    loop: false,
  });
  const message = theme.style.message(config.message, status);
  if (status === "done") return `${prefix} ${message} ${theme.style.answer(chosen?.label ?? "")}`;
  const below = found.length === 0 ? theme.style.error(t`nothing matches`) : page;
  return [`${prefix} ${message} ${typed}`, `${below}\n${theme.style.help(helpTip())}`];
});

const helpTip = (): string => t`type to filter · ↑↓ to move · Enter to select`;

/** `y`, `yes`, the same keys while typing Hangul, or the Korean word; never a pasted line that begins like one. */
const yes = /^\s*(y(es)?|ㅛ(ㄷㄴ)?|예|네)\s*$/i;

export const askYesNo = createPrompt<boolean, QuestionConfig>((config, done) => {
  const theme = makeTheme(config.theme);
  const [answer, setAnswer] = useState<boolean | undefined>(undefined);
  const [typed, setTyped] = useState("");
  const prefix = usePrefix({ status: answer === undefined ? "idle" : "done", theme });

  useKeypress((key, line) => {
    if (isEnterKey(key)) {
      // Hangul typed on a Mac comes decomposed.
      const isYes = yes.test(typed.normalize("NFC"));
      setAnswer(isYes);
      return done(isYes);
    }
    // A tab is not part of an answer.
    if (isTabKey(key)) {
      line.clearLine(0);
      line.write(typed);
    }
    setTyped(line.line);
  });

  const message = theme.style.message(config.message, answer === undefined ? "idle" : "done");
  if (answer !== undefined)
    return `${prefix} ${message} ${theme.style.answer(answer ? t`yes` : t`no`)}`;
  return `${prefix} ${message} ${theme.style.defaultAnswer(t`y/N`)} ${typed}`;
});
