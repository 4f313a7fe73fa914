/** Marks a refusal that rests on a choice that no source shows (sandbox.md 2). */

/** What to hand to a Refusal: the header with the id of assumptions.ts. */
export const assumed = (id: string) => ({ headers: { "x-sandbox-assumption": id } });
