import { tool } from "../../../cli/command.ts";
import { text } from "../../../contract/fields.ts";
import { invalidValue } from "../../../errors.ts";
import { t } from "../../../locale/locale.ts";
import { readPublicKey } from "../../../send/plan-file/approval.ts";
import { changeProfile } from "../set.ts";
import { approverColumns, approverRows } from "./list.ts";

export default tool({
  writes: "local",
  args: {
    name: text("name of the person"),
    key: text("public key of the person, printed by msg profile key"),
  },
  columns: approverColumns,
  examples: ["msg profile approver add kim ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
  run: async (ctx, { args: { name, key } }) => {
    const approver = readPublicKey(key);
    if (name.trim() === "" || Object.hasOwn(Object.prototype, name))
      throw invalidValue(t`'${name}' is not a valid name`);
    await changeProfile(ctx, (profile) => ({
      ...profile,
      approvers: { ...profile.approvers, [name]: approver },
    }));
    return { rows: approverRows({ [name]: approver }) };
  },
});
