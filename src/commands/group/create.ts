import { command } from "../../cli/command.ts";
import { createGroup } from "../../contract/groups.ts";

export default command({
  endpoint: createGroup,
  hiddenMembers: ["hint"],
  columns: ["groupId", "status", "strict", "allowDuplicates", "dateCreated"],
  examples: [
    "msg group create --sandbox",
    "id=$(msg group create -q) && msg group add $id customers.csv --text @notice.txt && msg group send $id",
    "msg group create --allow-duplicates --custom-fields campaign=spring",
  ],
});
