/** What an operator does when nobody knows whether a write was executed. */
import type { Endpoint } from "../contract/endpoint.ts";

/** The command that shows whether a request of about `started` was executed. */
export const howToLook = (endpoint: Endpoint, started: Date): string => {
  if (endpoint.effect === "settling") return "run it again: a second time changes nothing more";
  const since = `${new Date(started.getTime() - 60_000).toISOString().slice(0, 16)}:00Z`;
  const look = (endpoint.look ?? "look at the account").replace("<since>", since);
  return `do not run it again before you have looked: ${look}`;
};
