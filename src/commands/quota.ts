import { getQuota } from "../contract/quota.ts";
import { command } from "./command.ts";

export default command({
  endpoint: getQuota,
  columns: ["quota", "dateUpdated"],
  examples: ["msg quota --sandbox", "msg quota --json --fields quota"],
});
