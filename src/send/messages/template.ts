/** Messages from a Kakao template: its variables are filled and checked before anything is sent. */

import { getTemplate, type Template } from "../../contract/kakao.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import { invalidInput, invalidValue, MsgError, unless } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { type Check, candidate } from "../../message/check-members.ts";
import {
  askedNames,
  bareVariables,
  fillTemplate,
  templateProblems,
} from "../../message/kakao-template.ts";
import { showTemplate } from "../../output/template-preview.ts";
import type { Ports } from "../../ports.ts";

interface TemplateFlags {
  readonly template?: string | undefined;
  readonly channel?: string | undefined;
  readonly kakao?: MessageInput["kakaoOptions"];
}

/** The template of `--template`, read once. Throws usage for one that cannot be sent. */
export const readTemplateFlag = async (
  ctx: Ports,
  { template: templateId, channel, kakao }: TemplateFlags,
): Promise<Template | undefined> => {
  if (templateId === undefined) return undefined;
  const wrong = (what: string, todo: string) => invalidValue(what, t`nothing was sent; ${todo}`);
  if (kakao) throw wrong(t`--template and --kakao exclude each other`, t`leave one of them out`);
  const client = await ctx.session.client();
  const template = await client.call(getTemplate, { params: { templateId } });
  const { name, pfId, codes } = template;
  if (channel !== undefined && channel !== pfId)
    throw wrong(t`the template '${name}' belongs to channel ${pfId}`, t`omit --channel`);
  if (!codes.some(({ status }) => status === "APPROVED"))
    throw wrong(
      t`the template '${name}' is not approved: ${codes.map((it) => it.status).join(", ")}`,
      codes.every(({ status }) => status === "PENDING")
        ? t`request its review: msg template request-review ${templateId}`
        : t`msg template get ${templateId} shows its review`,
    );
  return template;
};

/** Its options; each variable asks for the value of its own name. */
export const templateOptions = (template: Template): NonNullable<MessageInput["kakaoOptions"]> => ({
  pfId: template.pfId,
  templateId: template.templateId,
  variables: Object.fromEntries(askedNames(template).map((name) => [`#{${name}}`, `#{${name}}`])),
});

/** A message as the phone would show it, checked: text, buttons and links. */
export const templateCheck =
  (template: Template): Check =>
  ({ message }) => {
    const { text, buttons } = fillTemplate(template, message.kakaoOptions?.variables ?? {});
    const [problem] = templateProblems({ content: text, buttons });
    return problem && { ...problem, field: `template ${problem.field}` };
  };

/** `send --template`: every variable has a value, and the whole is what the service takes; shown on a terminal. */
export const checkTemplate = async (
  ctx: Ports,
  template: Template,
  message: MessageInput,
  flags: { readonly allowEmpty?: boolean | undefined },
): Promise<void> => {
  await assertVariables(ctx, message, { ...flags, read: template });
  const problem = templateCheck(template)(candidate(message));
  if (problem) throw invalidInput([problem]);
  if (ctx.io.err.isTTY)
    await showTemplate(ctx, template, bareVariables(message.kakaoOptions?.variables ?? {}));
};

/**
 * Reads the template of `--kakao` once; throws usage with each variable that has no value, or an empty one.
 * The message's own text or buttons replace the template's.
 */
export const assertVariables = async (
  ctx: Ports,
  { text, kakaoOptions }: MessageInput,
  { allowEmpty, read }: { readonly allowEmpty?: boolean | undefined; readonly read?: Template },
): Promise<void> => {
  const templateId = kakaoOptions?.templateId;
  const ownButtons = (kakaoOptions?.buttons ?? []).length > 0;
  if (!templateId || (text && ownButtons)) return;
  const template = read ?? (await readTemplate(ctx, templateId));
  if (template === undefined) return;
  const asked = {
    content: text ? "" : template.content,
    buttons: ownButtons ? [] : template.buttons,
  };
  const { missing, empty } = fillTemplate(asked, kakaoOptions.variables ?? {});
  const lacks = [
    ...missing.map((name) => ({
      code: "1043",
      text: t`the template '${template.name}' needs #{${name}}, and it has no value`,
    })),
    ...(allowEmpty ? [] : empty).map((name) => ({
      code: "EmptyVariable",
      text: t`the template '${template.name}' needs #{${name}}, and its value is empty; --allow-empty sends it so`,
    })),
  ];
  if (lacks.length === 0) return;
  const field = read ? "--var" : "--kakao";
  throw invalidInput(lacks.map((it) => ({ ...it, field })));
};

/** Undefined if the caller may not read it or it is not theirs: sending says what that means. */
export const readTemplate = async (
  ctx: Ports,
  templateId: string,
): Promise<Template | undefined> => {
  const client = await ctx.session.client();
  return unless(
    (error) => error instanceof MsgError && unreadable.has(error.kind),
    () => client.call(getTemplate, { params: { templateId } }),
  );
};

const unreadable: ReadonlySet<string> = new Set(["missing", "forbidden", "unauthenticated"]);
