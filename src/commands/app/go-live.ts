import { command } from "../../cli/command.ts";
import { setAppLive } from "../../contract/apps.ts";
import { id } from "../../contract/fields.ts";

export default command({
  endpoint: setAppLive,
  args: { appId: id("the app") },
  confirm: ({ params }) => ({
    question: `Set the app ${params.appId} live? Its profit is fixed from then on.`,
    type: params.appId,
  }),
  columns: ["appId", "appName", "stage", "status", "appVersion", "dateCreated", "dateUpdated"],
  examples: [
    "msg app go-live AppDevelop01 --sandbox",
    "msg app go-live <appId> --confirm <appId>",
    "msg app go-live <appId> -n",
  ],
});
