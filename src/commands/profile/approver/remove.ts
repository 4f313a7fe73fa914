import { tool } from "../../../cli/command.ts";
import { text } from "../../../contract/fields.ts";
import { MsgError } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { changeProfile } from "../set.ts";
import { approverColumns, approverRows } from "./list.ts";

export default tool({
  writes: "local",
  args: { name: text("name of the person") },
  columns: approverColumns,
  examples: ["msg profile approver remove kim"],
  run: async (ctx, { args: { name } }) => {
    const approvers = ctx.settings.approvers.value;
    const key = Object.hasOwn(approvers, name) ? approvers[name] : undefined;
    if (key === undefined)
      throw new MsgError("missing", t`there is no approver '${name}'`, {
        where: t`profile '${ctx.settings.profile.value}'`,
        todo: t`list: msg profile approver list`,
      });
    await changeProfile(ctx, ({ approvers: { [name]: _, ...rest } = {}, ...profile }) => ({
      ...profile,
      approvers: rest,
    }));
    return { rows: approverRows({ [name]: key }) };
  },
});
