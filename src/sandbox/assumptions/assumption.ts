/** One choice that no source shows, and how an answer that rests on it says so. */

export interface Assumption {
  readonly id: string;
  readonly question: string;
  readonly choice: string;
  /** Section of the facts, or of these documents. */
  readonly tag: string;
}

/** What to hand to a Refusal that rests on an assumption: the header with its id. */
export const assumed = (id: string) => ({ headers: { "x-sandbox-assumption": id } });
