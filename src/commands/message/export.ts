import { spreadsheet } from "../../cli/save-document.ts";
import { exportMessages } from "../../contract/messages.ts";

export default spreadsheet(exportMessages, [
  "msg message export messages.xlsx --since 7d --sandbox",
  "msg message export failed.xlsx --criteria statusCode --cond ne --value 4000",
  "msg message export messages.xlsx --limit 50000 --force",
]);
