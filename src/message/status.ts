/** What a status code of a message means, whether it costs, what to do about it; and a refusal as an error. */

import { MsgError, type Problem } from "../errors.ts";
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
  /** True if the price stays charged; the service refunds failed messages. */
  readonly charged: boolean;
  readonly todo: string;
}

/** Every code that is not one of these is a failure. */
export const goodCodes: ReadonlyMap<string, StatusClass> = new Map([
  ["2000", "accepted"],
  ["3000", "at the carrier"],
  ["4000", "delivered"],
]);

const failures: ReadonlyMap<string, StatusClass> = new Map([
  ["1", "refused at registration"],
  ["2", "refused by the platform"],
  ["3", "refused by the carrier"],
]);

/** How far a message with this code came. A code of no known class is still a failure. */
export const statusClass = (code: string): StatusClass =>
  goodCodes.get(code) ??
  (/^\d{4}$/.test(code) ? failures.get(code.charAt(0)) : undefined) ??
  "unknown";

/** True for every code but 2000, 3000 and 4000, unknown codes included. */
export const isFailure = (code: string): boolean => !goodCodes.has(code);

/** The published codes, in order. */
export const statusCodes: ReadonlyMap<string, Status> = new Map(
  statusRows.map(([code, meaning, todo]) => [
    code,
    { code, meaning, class: statusClass(code), charged: !isFailure(code), todo },
  ]),
);

/** The meaning of a code; an unpublished code is named as such. */
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

/** How many refusals are reported one by one; the message list has them all. */
export const maxReported = 100;

/** By endpoint and code: meanings that differ from those in the list of messages. */
const meaningsAt: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  "/messages/v4/send": {
    "1030": [
      "the daily quota is used up",
      "msg quota request asks for more, or wait for the next day in Korea",
    ],
  },
};

/** What a code says about a message, and what to do. `path` is that of the answered call. */
export const explainRefusal = (
  code: string,
  { from, path = "" }: { readonly from?: string | undefined; readonly path?: string } = {},
): { readonly meaning: string; readonly todo: string | undefined } => {
  const [meaning, advice] = meaningsAt[path]?.[code] ?? [];
  const sender = code === "1062" && from ? t`${from} is not a registered sender number` : undefined;
  const todo = advice ?? statusCodes.get(code)?.todo;
  return {
    meaning: meaning === undefined ? (sender ?? statusMeaning(code)) : translated(meaning),
    todo: todo && translated(todo),
  };
};

interface Refused {
  readonly statusCode: string;
  readonly from?: string | undefined;
}

export const refusedProblem = (it: Refused & { readonly to: string }): Problem => ({
  code: it.statusCode,
  field: it.to,
  text: explainRefusal(it.statusCode, it).meaning,
});

/** The error for the only message of a call if the service refused it: it was not sent. */
export const refusedMessage = (it: Refused & { readonly groupId: string }): MsgError => {
  const { statusCode, groupId } = it;
  const { meaning, todo = t`msg group get ${groupId} shows why` } = explainRefusal(statusCode, it);
  return new MsgError("refused", t`${meaning} (${statusCode}); nothing was sent`, {
    code: statusCode,
    where: t`group ${groupId}`,
    outcome: "refused",
    todo: t`${todo} (msg explain ${statusCode})`,
  });
};
