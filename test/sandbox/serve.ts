/** A server for the clients of one test, which may be bad ones: it stands still in time, and ends with the test. */
import { onTestFinished } from "vitest";
import type { Limits } from "../../src/sandbox/http/server.ts";
import { openSandbox } from "../../src/sandbox/index.ts";
import { start, untilStopped } from "./doors.ts";

/** Where it answers. */
export const serve = async (limits: Partial<Limits> = {}) => {
  const sandbox = openSandbox({
    file: ":memory:",
    now: () => new Date(start),
    wait: untilStopped,
    checkAnswers: true,
  });
  const server = await sandbox.listen({ port: 0, limits });
  onTestFinished(async () => {
    await server.close();
    sandbox.close();
  });
  return { url: server.baseUrl, host: new URL(server.baseUrl).host };
};
