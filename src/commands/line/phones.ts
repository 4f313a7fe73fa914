/** Phone numbers of filters: written as people write them, asked for as the service keeps them. */
import { normaliseNumber } from "../../message/numbers.ts";

/** Digits as a send would make them; what is no number of this country stays as it was typed. */
export const phoneDigits = (typed: string): string => normaliseNumber(typed).digits ?? typed;
