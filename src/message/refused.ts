/** A row that the service refused, as an error tells of it. */
import type { Problem } from "../errors.ts";
import { statusMeaning } from "./status.ts";

/** How many refusals are told one by one; the message list has them all. */
export const mostTold = 100;

export const toldRefused = (it: { readonly statusCode: string; readonly to: string }): Problem => ({
  code: it.statusCode,
  field: it.to,
  text: statusMeaning(it.statusCode),
});
