/** `KILLS=1000 npm run test:soak`: what takes too long for every test run. */
import { defineConfig } from "vitest/config";
import { textFiles } from "../text-files.ts";

export default defineConfig({
  plugins: [textFiles],
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/soak/**/*.test.ts"],
    testTimeout: 4 * 3_600_000,
    // Hundreds of folders are removed at the end.
    hookTimeout: 600_000,
    pool: "forks",
    reporters: ["verbose"],
  },
});
