/** What an operator does when nobody knows whether a write was executed. */
import type { Endpoint } from "../contract/endpoint.ts";

/** The command that shows whether a request of about `started` was executed. */
export const howToLook = (endpoint: Endpoint, started: Date): string => {
  if (endpoint.effect === "settling")
    return "run it again: what was executed once is refused the second time";
  const since = `${new Date(started.getTime() - 60_000).toISOString().slice(0, 16)}:00Z`;
  const place = places.find(({ path }) => path.test(endpoint.path));
  const look = place ? place.look.replace("<since>", since) : "look at the account";
  return `do not run it again before you have looked: ${look}`;
};

const places: readonly { readonly path: RegExp; readonly look: string }[] = [
  { path: /^\/messages\//, look: "msg message list --since <since>" },
  { path: /comment$/, look: "msg template get <templateId> --comments" },
  { path: /^\/kakao\/v1\/templates/, look: "msg template list --date-created gte:<since>" },
  { path: /token$/, look: "the token may have come to the phone" },
  { path: /^\/cash\/v1\/withdraw/, look: "msg payment withdraw list --since <since>" },
  { path: /^\/cash\/v1\/balance\/alert/, look: "msg balance alert" },
  { path: /^\/cash\/v1\/(balance|transfer)/, look: "msg balance history --since <since>" },
  { path: /^\/cash\/v1\/payment/, look: "msg payment list" },
  { path: /^\/cash\/v1\/recharge/, look: "msg payment auto-recharge" },
  { path: /^\/cash\/v1\/bank/, look: "msg payment bank" },
];
