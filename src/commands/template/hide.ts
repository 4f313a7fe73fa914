import { command } from "../../cli/command.ts";
import { id } from "../../contract/fields.ts";
import { hideTemplate } from "../../contract/kakao.ts";
import { templateColumns } from "./list.ts";

const args = { templateId: id("the template") };

export const templateHiding = (verb: "hide" | "unhide") =>
  command({
    endpoint: hideTemplate,
    args,
    hiddenMembers: ["isHidden"],
    columns: [...templateColumns, "isHidden"],
    examples: [`msg template ${verb} <templateId>`, `msg template ${verb} <templateId> --json`],
    input: (_ctx, { args: { templateId } }) => ({
      params: { templateId },
      body: { isHidden: verb === "hide" },
    }),
  });

export default templateHiding("hide");
