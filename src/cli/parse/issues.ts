/** What a schema finds wrong with a value, in plain words. */
import type * as v from "valibot";

const limits: Readonly<Record<string, (limit: string) => string>> = {
  min_value: (limit) => `must be ${limit} or more`,
  max_value: (limit) => `must be ${limit} or less`,
  min_length: (limit) => `takes at least ${limit}`,
  max_length: (limit) => `takes at most ${limit}`,
};

const types: Readonly<Record<string, string>> = {
  string: "must be a text, in quotes",
  number: "must be a number, without quotes",
  boolean: "must be true or false, without quotes",
};

/** The contract's own words, or plain ones in the place of the library's. */
export const describeIssue = ({ type, message, requirement }: v.BaseIssue<unknown>): string => {
  if (!message.startsWith("Invalid")) return message;
  if (typeof requirement !== "number") return types[type] ?? message;
  return limits[type]?.(requirement.toLocaleString("en-US")) ?? message;
};

/** The same for a secret: the library's words would repeat what was given. */
export const describeSecretIssue = (issue: v.BaseIssue<unknown>): string =>
  issue.message.startsWith("Invalid") ? (types[issue.type] ?? "is not valid") : issue.message;
