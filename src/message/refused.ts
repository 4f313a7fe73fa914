/** A row that the service refused, as an error tells of it. */

import { MsgError, type Problem } from "../errors.ts";
import { t, translated } from "../locale/locale.ts";
import { statusCodes, statusMeaning } from "./status.ts";

/** How many refusals are reported one by one; the message list has them all. */
export const maxReported = 100;

/** By endpoint and code: where a code says less, or something else, in the list of messages. */
const meaningsAt: Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>> = {
  "/messages/v4/send": {
    "1030": [
      "the daily quota is used up",
      "msg quota request asks for more, or wait for the next day in Korea",
    ],
  },
};

/** What a code says of a message, and what to do. `path` is that of the call that it answered. */
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

export const refusedProblem = (it: {
  readonly statusCode: string;
  readonly to: string;
  readonly from?: string | undefined;
}): Problem => ({
  code: it.statusCode,
  field: it.to,
  text: explainRefusal(it.statusCode, it).meaning,
});

/** The only message of a call, found among those that the service refused: it was not sent. */
export const refusedMessage = (it: {
  readonly statusCode: string;
  readonly groupId: string;
  readonly from?: string;
}): MsgError => {
  const { statusCode, groupId } = it;
  const { meaning, todo = t`msg group get ${groupId} shows why` } = explainRefusal(statusCode, it);
  return new MsgError("refused", t`${meaning} (${statusCode}); nothing was sent`, {
    code: statusCode,
    where: t`group ${groupId}`,
    outcome: "refused",
    todo: t`${todo} (msg explain ${statusCode})`,
  });
};
