/** Choices without a source: the question, and what the sandbox does. */
import type { Endpoint, Reply } from "../contract/endpoint.ts";
import { contract } from "../contract/index.ts";
import type { listAssumptions } from "../contract/sandbox.ts";
import choicesByArea from "./assumptions.json" with { type: "json" };

const areas: Readonly<Record<string, Readonly<Record<string, string[]>>>> = choicesByArea;

/** From the declarations themselves: it states exactly what is enforced if a row is blank. */
const filledRow = ({ method, path, alsoNeeds }: Endpoint): string[] => {
  if (alsoNeeds === undefined) return [];
  const { scope, role, account, member, authentication } = alsoNeeds;
  const asked = [
    scope && `${scope} of a token`,
    role,
    account && "an ACTIVE account",
    member && "an ACTIVE member",
    authentication && "an authenticated account",
  ];
  return [`${method} ${path} asks for ${asked.filter(Boolean).join(", ")}`];
};

const blankRows = (others: string): string =>
  [...Object.values<Endpoint>(contract).flatMap(filledRow), others].join("; ");

/** Grouped by area, their tag; an answer that rests on one names it in `x-sandbox-assumption`. */
export const assumptions: Reply<typeof listAssumptions> = Object.entries(areas).flatMap(
  ([tag, choices]) =>
    Object.entries(choices).map(([id, [question = "", choice = ""]]) => ({
      id,
      question,
      choice: id === "blank-rows" ? blankRows(choice) : choice,
      tag,
    })),
);

/** The extra for a Refusal that rests on an assumption: the header with its id. */
export const assumed = (id: string) => ({ headers: { "x-sandbox-assumption": id } });
