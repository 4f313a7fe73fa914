/** Runs the tests: behaviour through the real doors, no mocks. */
import { availableParallelism, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { textFiles } from "./support/text-files.ts";

/** What needs Linux is left out elsewhere, by its name: the file, and why. */
const linuxOnly = {
  "test/browser/**": "@sparticuz/chromium is built for Linux",
  "test/e2e/browser-login.test.ts": "the same",
  "test/e2e/*terminal.test.ts": "signals and modes of a terminal",
  "test/e2e/any-client.test.ts": "sh, openssl and curl",
  "test/e2e/canary.test.ts": "/proc, and reports by a signal",
  "test/e2e/completion.test.ts": "bash, zsh, fish, and programs by a link",
  "test/e2e/package.test.ts": "where npm puts programs and manuals",
  "test/e2e/streams.test.ts": "/dev/full, closed descriptors",
  "test/output/out.test.ts": "the same",
  "test/send/sources/open-source.test.ts": "pipes with a name",
  "test/{durable,config}/processes.test.ts": "/proc",
  "test/durable/{race,private-dir,atomic-write}.test.ts": "modes of files, links",
  "test/config/store.test.ts": "modes of files",
  "test/prompt/**": "a pseudo-terminal",
  "test/faults/**": "processes that are killed and stopped by signals, /proc",
} as const;
const leftOut = platform() === "linux" ? [] : Object.keys(linuxOnly);

/** Begun last, the longest would keep one worker busy while the others have nothing left to do. */
const longest = ["simulation/", "faults/kill.", "transcripts/", "faults/drop.", "faults/", "e2e/"];
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = longest.findIndex((start) => moduleId.includes(`/test/${start}`));
  return rank < 0 ? longest.length : rank;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  plugins: [textFiles],
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    exclude: ["test/soak/**", ...leftOut],
    globalSetup: "test/support/run-setup.ts",
    setupFiles: "test/support/seed.ts",
    testTimeout: 90_000,
    hookTimeout: 90_000,
    pool: "forks",
    // Short-lived objects by the million: a nursery that is large takes 6 % less processor time (five pairs of
    // runs), and one that is large from the start 6 % less again (two pairs of runs).
    execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64"],
    sequence: { sequencer: LongestFirst },
    // No module keeps a state (test/rules): loading them anew for each file took a quarter of the time.
    isolate: false,
    // More than there are cores: tests of lossy lines and of processes wait for a part of their time.
    maxWorkers: Math.min(availableParallelism() + 2, 6),
    reporters: process.env.CI ? ["default"] : ["dot"],
  },
});
