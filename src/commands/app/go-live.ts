import { command } from "../../cli/command.ts";
import { setAppLive } from "../../contract/apps.ts";
import { id } from "../../contract/fields.ts";
import { t } from "../../locale/locale.ts";

export default command({
  endpoint: setAppLive,
  args: { appId: id("id of the app; from msg app profits, or the service's console") },
  confirm: (_ctx, { params }) => ({
    question: t`Set the app ${params.appId} live? Its profit can no longer be changed.`,
    type: params.appId,
  }),
  columns: ["appId", "appName", "stage", "status", "appVersion", "dateCreated", "dateUpdated"],
  examples: [
    "msg app go-live AppDevelop01 --sandbox",
    "msg app go-live <appId> --confirm <appId>",
    "msg app go-live <appId> -n",
  ],
});
