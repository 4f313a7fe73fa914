/** Runs the tests: behaviour through the real doors, no mocks. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { textFiles } from "./text-files.ts";

export default defineConfig({
  plugins: [textFiles],
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    exclude: ["test/soak/**"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // No module keeps a state (test/rules): loading them anew for each file took a quarter of the time.
    isolate: false,
    // One more than there are cores: tests of lossy lines and of processes wait for a part of their time.
    maxWorkers: Math.min(availableParallelism() + 1, 5),
    reporters: process.env.CI ? ["default"] : ["dot"],
  },
});
