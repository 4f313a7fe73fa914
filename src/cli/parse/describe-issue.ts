/** What a schema finds wrong with a value, where the contract has no words of its own for it. */
import type * as v from "valibot";

/** To be given to the library as its `message`; never repeats the value, which may be a secret. */
export const describeIssue = ({ type, expected, requirement }: v.BaseIssue<unknown>): string => {
  if (typeof requirement === "number" && limits[type])
    return limits[type](requirement.toLocaleString("en-US"));
  const choices = expected?.replaceAll(/[()"]/g, "").replaceAll(" | ", ", ");
  return types[type] ?? (type === "picklist" ? `must be one of ${choices}` : "is not valid");
};

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
  array: "must be a list",
  object: "must be an object",
  loose_object: "must be an object",
  record: "must be an object",
};
