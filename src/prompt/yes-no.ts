/** A question with yes or no: no, unless a person says yes, in letters of either keyboard. */
import {
  createPrompt,
  isEnterKey,
  isTabKey,
  makeTheme,
  type Theme,
  useKeypress,
  usePrefix,
  useState,
} from "@inquirer/core";
import { t } from "../locale/locale.ts";

interface YesNoConfig {
  readonly message: string;
  readonly theme?: { readonly prefix: Theme["prefix"]; readonly style: Partial<Theme["style"]> };
}

/** `y`, the key that it is while Hangul is typed, or the word. */
const yes = /^\s*(y|ㅛ|예|네)/i;

export const askYesNo = createPrompt<boolean, YesNoConfig>((config, done) => {
  const theme = makeTheme(config.theme);
  const [answer, setAnswer] = useState<boolean | undefined>(undefined);
  const [typed, setTyped] = useState("");
  const prefix = usePrefix({ status: answer === undefined ? "idle" : "done", theme });

  useKeypress((key, line) => {
    if (isEnterKey(key)) {
      // Letters typed on a Mac come in pieces.
      const isYes = yes.test(typed.normalize("NFC"));
      setAnswer(isYes);
      return done(isYes);
    }
    // A tab is no part of an answer.
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
