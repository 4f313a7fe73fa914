/** Runs the tests: behaviour through the real doors, no mocks. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    exclude: ["test/soak/**"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: "forks",
    // No module keeps a state (test/rules): loading them anew for each file took a quarter of the time.
    isolate: false,
    maxWorkers: 2,
    reporters: process.env.CI ? ["default"] : ["dot"],
  },
});
