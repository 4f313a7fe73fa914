import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { shapedReply } from "../../client/codec.ts";
import { id } from "../../contract/fields.ts";
import {
  getTemplate,
  type Template,
  type TemplateButton,
  updateTemplate,
} from "../../contract/kakao.ts";
import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { buttonLinks } from "../../message/check-members.ts";
import { buttonFlags, withButtons } from "../../message/kakao-template.ts";
import { changes, showTemplate } from "../../output/template-preview.ts";
import { atProviders } from "./list.ts";

const [providerA, biz] = atProviders;

export default command({
  endpoint: updateTemplate,
  additionalEndpoints: [getTemplate],
  args: { templateId: id("the template") },
  hiddenMembers: ["buttons"],
  flags: buttonFlags,
  columns: [
    { name: "templateId", value: (row) => row.biz.templateId },
    { name: "name", value: (row) => row.biz.name },
    { name: "providerA", value: (row) => providerA.value(row.biz) },
    { name: "biz", value: (row) => biz.value(row.biz) },
  ],
  examples: [
    'msg template update <templateId> --content "#{name}님, 안녕하세요." -n',
    "msg template update <templateId> --content @order.txt -y",
    'msg template update <templateId> --button "WL:View,mo=https://example.com" --button BK:Help',
  ],
  input: async (ctx, { args, flags }, { body }) => {
    const parts = withButtons(body, flags);
    if (Object.keys(parts).length === 0)
      throw usageError(t`nothing to change`, {
        todo: t`give --name, --content, --button or --buttons`,
      });
    const client = await ctx.session.client();
    const params = { templateId: args.templateId };
    const template = shapedReply(getTemplate, await client.call(getTemplate, { params }));
    await showChange(ctx, template, parts);
    return { params, body: parts };
  },
  confirm: (_ctx, _input, { args }) => ({
    question: t`Update the template '${args.templateId}'? Its status goes back to PENDING at both providers.`,
  }),
});

type Parts = { readonly [K in "name" | "content" | "buttons"]?: Template[K] | undefined };

/** Removed and added lines, and the result as a phone shows it. */
const showChange = async (ctx: Context, template: Template, parts: Parts): Promise<void> => {
  const { name = template.name, content = template.content, buttons = template.buttons } = parts;
  const shown = [
    ...changes(template.name, name),
    ...changes(template.content, content),
    ...changes(buttonLines(template.buttons), buttonLines(buttons)),
  ];
  for (const line of shown) await ctx.note(line);
  if (shown.length === 0) await ctx.note(t`nothing changes, but the review starts again`);
  await showTemplate(ctx, { name, content, buttons });
  const states = template.codes.map(({ service, status }) => `${service} ${status}`).join(", ");
  if (template.codes.some(({ status }) => status === "APPROVED" || status === "INSPECTING"))
    await ctx.note(
      t`the template is ${states}; only PENDING and REJECTED templates can be changed`,
    );
};

const buttonLines = (buttons: readonly TemplateButton[]): string =>
  buttons
    .map((it) => {
      const links = buttonLinks.map((link) => it[link]);
      return [`${it.buttonType}:${it.buttonName}`, ...links].filter(Boolean).join(" ");
    })
    .join("\n");
