/** A length of time as it was typed for a flag: how long to wait, or how old something is. */
import { durationForms, readDuration as read } from "../../contract/durations.ts";
import { usage } from "../../errors.ts";

/** Milliseconds; `0` needs no unit. Throws usage with the flag that is wrong. */
export const readDuration = (typed: string, flag: string): number => {
  const ms = read(typed.trim());
  if (ms !== undefined && ms >= 0) return ms;
  throw usage(`${flag}: '${typed}' is no length of time`, {
    code: "InvalidValue",
    todo: `write it like ${durationForms}`,
  });
};
