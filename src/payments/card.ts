/** A card as it was given: checked before anything is sent, in words that do not repeat it. */

import type { Input } from "../contract/endpoint.ts";
import { type addPayment, brandOf, cardDigits, cardProblem } from "../contract/payment.ts";
import { endOfMonth } from "../contract/seoul.ts";
import { invalidInput, type Problem } from "../errors.ts";

type Body = Input<typeof addPayment>["body"];

export const numberProblem = (typed: string): string | undefined => {
  const problem = cardProblem(cardDigits(typed));
  return problem === undefined ? undefined : `the card number ${problem}`;
};

export const cvcProblem = (typed: string): string | undefined =>
  /^\d{3,4}$/.test(typed.trim()) ? undefined : "the cvc must be 3 or 4 digits";

export const yearProblem = (typed: string): string | undefined =>
  /^(20)?\d{2}$/.test(typed.trim()) ? undefined : "the year of expiry must be two or four digits";

export const monthProblem = (typed: string): string | undefined =>
  /^(0?[1-9]|1[0-2])$/.test(typed.trim()) ? undefined : "the month of expiry must be 1 to 12";

/** The body as it is sent: digits alone, the year in four digits. Throws usage. */
export const checkedCard = (body: Body, now: Date): Body => {
  const year = body.expYear < 100 ? 2000 + body.expYear : body.expYear;
  const month = Number(body.expMonth);
  const problems: Problem[] = [
    ["cardNumber", numberProblem(body.cardNumber)] as const,
    ["cvc", cvcProblem(body.cvc)] as const,
    ["--exp-year, --exp-month", expiryProblem(year, month, now)] as const,
  ].flatMap(([field, text]) => (text === undefined ? [] : [{ code: "InvalidValue", field, text }]));
  if (problems.length > 0) throw invalidInput(problems);
  return {
    ...body,
    cardNumber: cardDigits(body.cardNumber),
    cvc: body.cvc.trim(),
    expYear: year,
    expMonth: month,
  };
};

const expiryProblem = (year: number, month: number, now: Date): string | undefined => {
  const problem = yearProblem(String(year)) ?? monthProblem(String(month));
  if (problem !== undefined) return problem;
  return now.getTime() >= endOfMonth(year, month) ? "the card has expired" : undefined;
};

/** `VISA ************1111, 05/2029` */
export const maskCard = ({ cardNumber, expYear, expMonth }: Body): string => {
  const digits = cardNumber.slice(-4).padStart(cardNumber.length, "*");
  return `${brandOf(cardNumber) ?? "card"} ${digits}, ${String(expMonth).padStart(2, "0")}/${expYear}`;
};
