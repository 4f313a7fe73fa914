/** Before a template is sent: every variable that it asks for has a value. */
import type { Client } from "../../client/client.ts";
import { getTemplate, type Template } from "../../contract/kakao-templates.ts";
import type { MessageInput } from "../../contract/message-records.ts";
import { invalidInput, MsgError } from "../../errors.ts";
import { fillTemplate } from "../../message/kakao-template.ts";
import type { Ports } from "../../ports.ts";

/**
 * Reads the template once; throws usage with each variable that has no value. A text or buttons of
 * one's own stand in place of the template's.
 */
export const assertVariables = async (
  ctx: Ports,
  { text, kakaoOptions }: MessageInput,
): Promise<void> => {
  const templateId = kakaoOptions?.templateId;
  const ownButtons = (kakaoOptions?.buttons ?? []).length > 0;
  if (!templateId || (text && ownButtons)) return;
  const template = await readTemplate(await ctx.session.client(), templateId);
  if (template === undefined) return;
  const asked = {
    content: text ? "" : template.content,
    buttons: ownButtons ? [] : template.buttons,
  };
  const { missing } = fillTemplate(asked, kakaoOptions.variables ?? {});
  if (missing.length === 0) return;
  throw invalidInput(
    missing.map((name) => ({
      code: "1043",
      field: "--kakao",
      text: `the template '${template.name}' asks for #{${name}}, and variables has no value for it`,
    })),
  );
};

/** Undefined where the caller may not read it or it is not theirs: sending says what that means. */
const readTemplate = async (client: Client, templateId: string): Promise<Template | undefined> => {
  try {
    return await client.call(getTemplate, { params: { templateId } });
  } catch (error) {
    const isHidden = error instanceof MsgError && unreadable.has(error.kind);
    if (isHidden) return undefined;
    throw error;
  }
};

const unreadable: ReadonlySet<string> = new Set(["missing", "forbidden", "unauthenticated"]);
