/** What a status code of a message means, whether it costs, and what to do about it. */
import { t, translated } from "../locale/locale.ts";
import { statusRows } from "./status-table.ts";

/** How far a message came; the first digit and three exceptions decide. */
export type StatusClass =
  | "refused at registration"
  | "accepted"
  | "refused by the platform"
  | "at the carrier"
  | "refused by the carrier"
  | "delivered"
  | "unknown";

export interface Status {
  readonly code: string;
  readonly meaning: string;
  readonly class: StatusClass;
  /** True where the price stays charged; failed messages are refunded by the service. */
  readonly charged: boolean;
  readonly todo: string;
}

/** Every code that is not one of these is a failure. */
const goodCodes: ReadonlyMap<string, StatusClass> = new Map([
  ["2000", "accepted"],
  ["3000", "at the carrier"],
  ["4000", "delivered"],
]);

const failures: ReadonlyMap<string, StatusClass> = new Map([
  ["1", "refused at registration"],
  ["2", "refused by the platform"],
  ["3", "refused by the carrier"],
]);

/** How far a message with this code came. A code of no known class is a failure all the same. */
export const statusClass = (code: string): StatusClass =>
  goodCodes.get(code) ??
  (/^\d{4}$/.test(code) ? failures.get(code.charAt(0)) : undefined) ??
  "unknown";

/** True for every code but 2000, 3000 and 4000, codes that no table knows included. */
export const isFailure = (code: string): boolean => !goodCodes.has(code);

/** The published codes, in order. */
export const statusCodes: ReadonlyMap<string, Status> = new Map(
  statusRows.map(([code, meaning, todo]) => [
    code,
    { code, meaning, class: statusClass(code), charged: !isFailure(code), todo },
  ]),
);

/** The words for a code; a code that is not published is named as such. */
export const statusMeaning = (code: string | null | undefined): string => {
  if (!code) return "";
  const meaning = statusCodes.get(code)?.meaning;
  return meaning === undefined ? t`unpublished status code ${code}` : translated(meaning);
};

/** What an operator can do about a code. */
export const statusTodo = (code: string): string => {
  const todo = statusCodes.get(code)?.todo;
  return todo === undefined ? t`ask the service` : translated(todo);
};
