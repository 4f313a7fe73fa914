import { resendGroup } from "../../contract/groups.ts";
import { groupSend } from "./send.ts";

export default groupSend(resendGroup, "group id; the group must be FAILED", [
  "msg group resend <groupId> --sandbox",
  "msg group list --criteria status --cond eq --value FAILED",
  "msg group resend <groupId> -y",
]);
