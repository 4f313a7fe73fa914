/** A function for every control route. */
import type { Controls } from "../../contract/sandbox.ts";
import { assumptions } from "../assumptions.ts";
import * as consent from "../pages/consent.ts";
import type { ControlHandler } from "./admin-context.ts";
import * as contents from "./contents.ts";
import * as faults from "./faults.ts";
import * as review from "./review.ts";
import * as settings from "./settings.ts";

export const controlHandlers: { readonly [N in keyof Controls]: ControlHandler<N> } = {
  ...consent,
  ...contents,
  ...faults,
  ...review,
  ...settings,
  listAssumptions: ({ query }) => {
    const offset = query?.offset ?? 0;
    return assumptions.slice(offset, offset + (query?.limit ?? assumptions.length));
  },
};
