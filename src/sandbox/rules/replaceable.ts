/** Which messages others may be sent in place of: those of Kakao, and those that bring some along (facts 2.10). */
import { isKakaoType } from "../../message/type.ts";
import type { NewMessage } from "../store/messages.ts";

export const mayBeReplaced = ([, , , type, , , , , options]: NewMessage): boolean =>
  isKakaoType(type) || options?.replacements !== undefined;
