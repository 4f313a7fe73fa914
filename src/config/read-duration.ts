/** A length of time as it was typed for a flag: how long to wait, or how old something is. */
import { durationForms, readDuration as read } from "../contract/durations.ts";
import { type MsgError, usageError } from "../errors.ts";

/** Milliseconds; `0` needs no unit. Throws usage with the flag that is wrong. */
export const readDurationFlag = (typed: string, flag: string): number => {
  const ms = read(typed.trim());
  if (ms !== undefined && ms >= 0) return ms;
  throw usageError(`${flag}: '${typed}' is no length of time`, {
    code: "InvalidValue",
    todo: `write it like ${durationForms}`,
  });
};

/** Of the commands that wait only where they are asked to. */
export const withinWithoutWait = (): MsgError =>
  usageError("--within says how long --wait waits, and --wait is not given", {
    code: "InvalidUsage",
    todo: "nothing was sent; give both, or leave both out",
  });
