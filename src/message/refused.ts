/** A row that the service refused, as an error tells of it. */
import { MsgError, type Problem } from "../errors.ts";
import { statusCodes, statusMeaning } from "./status.ts";

/** How many refusals are reported one by one; the message list has them all. */
export const maxReported = 100;

export const refusedProblem = (it: {
  readonly statusCode: string;
  readonly to: string;
}): Problem => ({
  code: it.statusCode,
  field: it.to,
  text: statusMeaning(it.statusCode),
});

/** The only message of a call, found among those that the service refused: it was not sent. */
export const refusedMessage = (it: {
  readonly statusCode: string;
  readonly groupId: string;
}): MsgError => {
  const { statusCode, groupId } = it;
  const todo = statusCodes.get(statusCode)?.todo ?? `msg group get ${groupId} shows why`;
  return new MsgError("refused", `the service refused the message: ${statusMeaning(statusCode)}`, {
    code: statusCode,
    where: `group ${groupId}`,
    outcome: "refused",
    todo: `${todo}; nothing was sent (msg explain ${statusCode})`,
  });
};
