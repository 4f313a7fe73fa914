/** Opens a store and counts: what several processes do at once. */
import { openStore } from "../../../src/sandbox/store/store.ts";

const [, , file = "", rounds = "1"] = process.argv;
for (let round = 0; round < Number(rounds); round += 1) {
  const store = openStore(file);
  store.transaction(() => store.settings.set("tickMs", store.settings.get("tickMs") + 1));
  store.close();
}
