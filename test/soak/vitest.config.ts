/**
 * `KILLS=1000 npm run test:soak`: what takes too long for every test run, and the whole of each sweep of
 * which `npm test` plays a share (`EVERY=1`). `npm run test:soak test/soak` leaves those sweeps out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { textFiles } from "../support/text-files.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The test files that play a share of their sweeps otherwise. */
const sweeps = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter((name) => name.endsWith(".test.ts"))
  .filter((name) => readFileSync(join(root, name), "utf8").includes("/support/share.ts"));

export default defineConfig({
  plugins: [textFiles],
  test: {
    root,
    include: ["test/soak/**/*.test.ts", ...sweeps],
    env: { EVERY: "1" },
    testTimeout: 4 * 3_600_000,
    // Hundreds of folders are removed at the end.
    hookTimeout: 600_000,
    pool: "forks",
    reporters: ["verbose"],
  },
});
