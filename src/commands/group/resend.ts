import { resendGroup } from "../../contract/groups.ts";
import { groupSending } from "./send.ts";

export default groupSending(resendGroup, "Send again", "group id; the group must be FAILED", [
  "msg group resend <groupId> --sandbox",
  "msg group list --criteria status --cond eq --value FAILED",
  "msg group resend <groupId> -y",
]);
