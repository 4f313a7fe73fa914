import { spreadsheet } from "../../cli/save-document.ts";
import { exportGroups } from "../../contract/groups.ts";

export default spreadsheet(exportGroups, [
  "msg group export groups.xlsx --sandbox",
  "msg group export groups.xlsx --since 30d --force",
  "msg group export failed.xlsx --criteria status --cond eq --value FAILED",
]);
