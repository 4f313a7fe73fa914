import { needCredentials } from "../../config/resolve.ts";
import { hostOf } from "../../config/values.ts";
import { tool } from "../command.ts";
import { type AccountRecord, accountColumns, tailOf } from "./account.ts";

export default tool({
  columns: accountColumns,
  fields: [],
  examples: ["msg auth status", "msg auth status -p work --json"],
  run: async ({ settings, config }) => {
    const credentials = needCredentials(settings);
    const { from, origin } = settings.credentials;
    const baseUrl = settings.baseUrl.value;
    const record: AccountRecord = {
      profile: settings.profile.value,
      kind: credentials.kind,
      host: baseUrl === undefined ? null : hostOf(baseUrl),
      apiKeyTail: tailOf(credentials),
      stored: origin === "profile" ? config.credentialsFile() : null,
      from,
    };
    return { record };
  },
});
