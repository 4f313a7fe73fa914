import { command } from "../../cli/command.ts";
import { createTemplate } from "../../contract/kakao.ts";
import { t } from "../../locale/locale.ts";
import { buttonFlags, withButtons } from "../../message/kakao-template.ts";
import { showTemplate } from "../../output/template-preview.ts";
import { writtenColumns } from "./list.ts";

export default command({
  endpoint: createTemplate,
  hiddenMembers: ["buttons"],
  flags: buttonFlags,
  questions: { content: { question: "text of the template, up to 1,000 characters" } },
  columns: writtenColumns,
  examples: [
    'msg template create --channel <pfId> --name welcome --content "#{name}님, 환영합니다." -n',
    'msg template create --channel <pfId> --name order --content @order.txt --button "WL:주문 보기,mo=https://example.com/#{no}" -y',
    "msg template create --channel <pfId> --name order --content @order.txt --buttons @buttons.json -y -q",
  ],
  input: async (ctx, { flags }, { body }) => {
    const parts = withButtons(body, flags);
    await showTemplate(ctx, { ...parts, buttons: parts.buttons ?? [] });
    return { body: parts };
  },
  confirm: (_ctx, { body }) => ({ question: t`Create the template '${body.name}'?` }),
  run: async (ctx, _input, _given, defaultRun) => {
    const { record } = await defaultRun();
    await ctx.note(t`request its review: msg template request-review ${record.templateId}`);
    return { record };
  },
});
