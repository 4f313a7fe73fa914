/** A person at the keyboard: gives prepared answers and remembers what was asked, and what with a hidden answer. */
import type { Ask } from "../../src/prompt/prompt.ts";

export const person = (
  answers: readonly string[],
  hidden: string[],
): { readonly ask: Ask; readonly questions: readonly string[] } => {
  const questions: string[] = [];
  const left = [...answers];
  const answer = (question: string): string => {
    questions.push(question);
    const next = left.shift();
    if (next === undefined) throw new Error(`nobody expected the question: ${question}`);
    return next;
  };
  const ask: Ask = {
    text: async (question, options) => {
      const given = answer(question);
      const wrong = await options?.check?.(given);
      return wrong === undefined ? given : ask.text(`${question} (${wrong})`, options);
    },
    hidden: (question, options) => {
      hidden.push(question);
      return ask.text(question, options);
    },
    confirm: async (question) => answer(question) === "y",
    choose: async (question, choices) => {
      const given = answer(question);
      if (choices.some(({ value }) => value === given)) return given;
      throw new Error(`${given} is not offered: ${question}`);
    },
  };
  return { ask, questions };
};

/** A person who answers every question with what they make of standard error so far. */
export const pasting = (
  paste: (said: string) => Promise<string>,
  said: () => string,
  hidden: string[],
): Ask => {
  const answer = () => paste(said());
  const confirm = async (): Promise<boolean> => (await answer()) !== "n";
  const answerHidden = (question: string) => {
    hidden.push(question);
    return answer();
  };
  return { text: answer, hidden: answerHidden, choose: answer, confirm };
};
