/** Which card numbers the service takes. */

const brands = [
  ["VISA", /^4/],
  ["MASTERCARD", /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
] as const;

export type Brand = (typeof brands)[number][0];

/** A card number without the spaces and hyphens that people group it with. */
export const cardDigits = (typed: string): string => typed.replaceAll(/[\s-]/g, "");

/** Its brand, or undefined for one that is not taken. */
export const brandOf = (digits: string): Brand | undefined =>
  brands.find(([, shape]) => shape.test(digits))?.[0];

/** What is wrong with a card number, in words that do not repeat it; undefined where nothing is. */
export const cardProblem = (digits: string): string | undefined => {
  if (!/^\d{14,16}$/.test(digits)) return "must be 14 to 16 digits";
  if (!passesLuhn(digits)) return "is mistyped: its check digit does not fit";
  return brandOf(digits) === undefined ? "must be a Visa or MasterCard number" : undefined;
};

/** The check digit of ISO/IEC 7812: doubles every second digit from the right. */
const passesLuhn = (digits: string): boolean => {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};
