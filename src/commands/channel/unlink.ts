import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { getChannel, listTemplates, unlinkChannel } from "../../contract/kakao.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { channelColumns } from "./list.ts";

/** Names that are listed one by one; their number is always shown. */
const maxNamed = 20;

export default command({
  endpoint: unlinkChannel,
  additionalEndpoints: [getChannel, listTemplates],
  args: { pfId: id("the channel") },
  columns: channelColumns,
  examples: [
    "msg channel unlink <pfId> -n",
    "msg channel unlink <pfId>",
    "msg channel unlink <pfId> --confirm <pfId>",
  ],
  input: async (ctx, { args: { pfId } }) => {
    const client = await ctx.session.client();
    const { searchId } = await client.call(getChannel, { params: { pfId } });
    const names: string[] = [];
    const all = { rows: Number.POSITIVE_INFINITY };
    for await (const { rows } of client.pages(listTemplates, { query: { pfId } }, all))
      names.push(...rows.map(({ name, templateId }) => `${name} (${templateId})`));
    await ctx.note(
      names.length === 1
        ? t`1 template is deleted with the channel '${searchId}'`
        : t`${formatFigure(names.length)} templates are deleted with the channel '${searchId}'`,
    );
    for (const name of names.slice(0, maxNamed)) await ctx.note(`  ${name}`);
    if (names.length > maxNamed)
      await ctx.note(`  ${t`and ${formatFigure(names.length - maxNamed)} more`}`);
    return { params: { pfId } };
  },
  confirm: (_ctx, _input, { args: { pfId } }) => ({
    question: t`Unlink the channel '${pfId}' and delete its templates?`,
    type: pfId,
  }),
});
