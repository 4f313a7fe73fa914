import { command } from "../../cli/command.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { id, list } from "../../contract/fields.ts";
import { deleteGroupMessages } from "../../contract/groups.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure, formatMessageCount } from "../../message/price.ts";

/** Not by errorCount, which is text in some answers and missing in others. */
const refusedIn = ({ resultList }: Reply<typeof deleteGroupMessages>) =>
  resultList.filter(({ resultCode }) => resultCode !== "Success");

export default command({
  endpoint: deleteGroupMessages,
  args: { groupId: id("the group"), messageIds: list(id("message"), "messages to remove") },
  columns: [
    "groupId",
    { name: "removed", value: (row) => row.resultList.length - refusedIn(row).length },
    { name: "refused", value: (row) => refusedIn(row).length },
  ],
  examples: [
    "msg group remove <groupId> <messageId> --sandbox",
    "msg group remove <groupId> <messageId> <messageId> --json",
    "msg group messages <groupId> --all -o jsonl --fields messageId | jq -r .messageId | xargs msg group remove <groupId>",
  ],
  run: async (_ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    const { resultList } = record;
    const refused = refusedIn(record);
    if (refused.length === 0) return { record };
    const total = formatMessageCount(resultList.length);
    const text =
      refused.length === 1
        ? t`1 of ${total} was not removed`
        : t`${formatFigure(refused.length)} of ${total} were not removed`;
    const ending = new MsgError("partial", text, {
      where: t`group ${record.groupId}`,
      todo: t`see what the group holds: msg group messages ${record.groupId}`,
      outcome: refused.length < resultList.length ? "partial" : "refused",
      details: refused.map(({ messageId, resultCode }) => ({ code: resultCode, text: messageId })),
    });
    return { record, ending };
  },
});
