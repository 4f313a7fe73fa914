/** What an operator does when nobody knows whether a write was executed. */
import type { Endpoint } from "../../contract/endpoint.ts";

/**
 * The command that shows whether a request of about `started` was executed. `target` is the path that
 * it was sent to: an id in it is named.
 */
export const howToCheck = (endpoint: Endpoint, started: Date, target: string): string => {
  if (endpoint.effect === "settling") return "run it again: a second time changes nothing more";
  return `do not run it again before you have looked: ${checkFor(endpoint, started, target)}`;
};

/** That command alone. */
export const checkFor = (endpoint: Endpoint, started: Date, target: string): string => {
  const since = `${new Date(started.getTime() - 60_000).toISOString().slice(0, 16)}:00Z`;
  const values: Readonly<Record<string, string>> = { ...idsIn(endpoint, target), since };
  const look = endpoint.look ?? "look at the account";
  return look.replace(/<(\w+)>/g, (all, name: string) => values[name] ?? all);
};

/** The path parameters of a request, read off its target. */
const idsIn = ({ path }: Endpoint, target: string): Readonly<Record<string, string>> => {
  const given = (target.split("?")[0] ?? "").split("/");
  return Object.fromEntries(
    path
      .split("/")
      .flatMap((part, at) => (part.startsWith(":") ? [[part.slice(1), given[at] ?? ""]] : [])),
  );
};
