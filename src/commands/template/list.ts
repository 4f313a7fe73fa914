import { listTemplates } from "../../contract/kakao-templates.ts";
import { command } from "../command.ts";
import { templateColumns } from "./columns.ts";

export default command({
  endpoint: listTemplates,
  columns: templateColumns,
  examples: [
    "msg template list --sandbox",
    "msg template list --status APPROVED --name like:order",
    "msg template list --date-created gte:2026-01-01 --date-created lt:2026-02-01",
    "msg template list --all --json --fields templateId,name,content",
  ],
});
