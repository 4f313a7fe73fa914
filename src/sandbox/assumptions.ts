/** The choices that no source shows: what was asked, and what the sandbox does. */
import choicesByArea from "./assumptions.json" with { type: "json" };

interface Assumption {
  readonly id: string;
  readonly question: string;
  readonly choice: string;
  /** The area that it belongs to. */
  readonly tag: string;
}

const areas: Readonly<Record<string, Readonly<Record<string, string[]>>>> = choicesByArea;

/** Grouped by area; an answer that rests on one names it in `x-sandbox-assumption`. */
export const assumptions: readonly Assumption[] = Object.entries(areas).flatMap(([tag, choices]) =>
  Object.entries(choices).map(([id, [question = "", choice = ""]]) => ({
    id,
    question,
    choice,
    tag,
  })),
);

/** What to hand to a Refusal that rests on an assumption: the header with its id. */
export const assumed = (id: string) => ({ headers: { "x-sandbox-assumption": id } });
