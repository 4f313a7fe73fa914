/** The pages of a sandbox as a browser reaches them: one server for the tests of a file. */
import { afterAll, beforeAll } from "vitest";
import { type Listening, openSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { untilStopped } from "../doors.ts";

/** The time of such a sandbox, which stands still. */
export const start = "2026-01-05T09:00:00.000Z";

/** Answers where the server of this file is, once its tests run. */
export const servedPages = (): (() => string) => {
  const opened: { sandbox?: Sandbox; server?: Listening } = {};
  beforeAll(async () => {
    opened.sandbox = openSandbox({
      file: ":memory:",
      now: () => new Date(start),
      wait: untilStopped,
      checkAnswers: true,
    });
    opened.server = await opened.sandbox.listen({ port: 0 });
  });
  afterAll(async () => {
    await opened.server?.close();
    opened.sandbox?.close();
  });
  return () => opened.server?.baseUrl ?? "";
};
