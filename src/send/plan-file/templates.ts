/** The Kakao templates that a plan sends by: what a phone shows is theirs, so a change of them changes the plan. */

import type { Template } from "../../contract/kakao.ts";
import { linesOf } from "../../durable/files.ts";
import { asRecord } from "../../json/read-json.ts";
import type { Ports } from "../../ports.ts";
import { readTemplate } from "../guards/template.ts";
import { messagesIn } from "../store/row-outcomes.ts";
import { fileOf, type RunStore } from "../store/run-folder.ts";
import type { KeptTemplate } from "./format.ts";

/** As they are now; one that this caller may not read is left out. */
export const readTemplates = async (
  ctx: Ports,
  ids: Iterable<string>,
): Promise<readonly KeptTemplate[]> => {
  const found: KeptTemplate[] = [];
  for (const id of ids) {
    const template = await readTemplate(ctx, id);
    if (template) found.push(keptOf(template));
  }
  return found;
};

const keptOf = ({ templateId, name, content, buttons, codes }: Template): KeptTemplate => ({
  ...{ templateId, name, content, buttons },
  isApproved: codes.some(({ status }) => status === "APPROVED"),
});

/** The templates that a planned run names, each once. */
export const templateIds = (store: RunStore, run: string): ReadonlySet<string> => {
  const ids = new Set<string>();
  for (const { line } of linesOf(store.files, fileOf(store, run, "plan.jsonl"))) {
    if (!line.includes('"templateId"')) continue;
    for (const message of messagesIn(JSON.parse(line.toString("utf8")))) {
      const { templateId } = asRecord(asRecord(message).kakaoOptions);
      if (typeof templateId === "string") ids.add(templateId);
    }
  }
  return ids;
};
