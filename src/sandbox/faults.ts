/** Where a connection breaks although the request was performed (sandbox.md 5). */
import type { LooseInput } from "../contract/endpoint.ts";
import { breaksLine } from "./rules/outcomes.ts";

/** True where one of the recipients of an accepted send breaks the line. */
export const cutsConnection = ({ body }: LooseInput): boolean =>
  sent(body).some((message) =>
    [member(message, "to")].flat().some((to) => typeof to === "string" && breaksLine(to)),
  );

const sent = (body: unknown): unknown[] => {
  const one = member(body, "message");
  const many = member(body, "messages");
  return Array.isArray(many) ? many : one === undefined ? [] : [one];
};

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
