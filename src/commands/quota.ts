import { command } from "../cli/command.ts";
import { getQuota } from "../contract/quota.ts";

export default command({
  endpoint: getQuota,
  columns: ["quota", "dateUpdated"],
  examples: ["msg quota --sandbox", "msg quota --json --fields quota"],
});
