import { spreadsheet } from "../../cli/save-document.ts";
import { downloadStatistics } from "../../contract/statistics.ts";

export default spreadsheet(downloadStatistics, [
  "msg stats download january.xlsx --since 2026-01-01 --until 2026-01-31",
  "msg stats download statistics.xlsx --sandbox --force",
]);
