/** A sandbox behind a port, for clients that may be bad ones. It stands still in time unless `now` says otherwise. */
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Limits } from "../../src/sandbox/http/server.ts";
import { openSandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { start, untilStopped } from "./doors.ts";

type Serving = Partial<SandboxOptions> & { readonly limits?: Partial<Limits> };

/** One that the caller closes; in memory unless a file is named. */
export const openServer = async ({ limits = {}, ...options }: Serving = {}) => {
  const sandbox = openSandbox({
    file: ":memory:",
    now: () => new Date(start),
    wait: untilStopped,
    checkAnswers: true,
    ...options,
  });
  const server = await sandbox.listen({ port: 0, limits });
  const close = async (): Promise<void> => {
    await server.close();
    sandbox.close();
  };
  return { sandbox, server, url: server.baseUrl, close };
};

/** One that ends with the test. */
export const serve = async (options?: Serving) => {
  const served = await openServer(options);
  onTestFinished(served.close);
  return { ...served, host: new URL(served.url).host };
};

/** One for all tests of a file: its address is known once they run. */
export const serveAll = (options?: Serving): { readonly url: string } => {
  const opened: { it?: Awaited<ReturnType<typeof openServer>> } = {};
  beforeAll(async () => {
    opened.it = await openServer(options);
  });
  afterAll(() => opened.it?.close());
  return {
    get url() {
      return opened.it?.url ?? "";
    },
  };
};
