/**
 * The built `msg` at a sandbox in its own process, and at one that is served over HTTP: the environment says which.
 * What only has to have happened before it is done in the process of the tests.
 */
import { onTestFinished } from "vitest";
import { atHome } from "../faults/at-home.ts";
import { envOf } from "../support/signer.ts";
import { type Program, sandboxServer } from "./program.ts";

interface Door {
  readonly msg: Program;
  readonly env: Readonly<Record<string, string>>;
}

const inProcess = async (): Promise<Door> => ({
  msg: atHome(),
  env: { MSG_PROFILE: "sandbox" },
});

/** Ends with the test that opened it. */
export const overHttp = async (): Promise<Door> => {
  const msg = atHome();
  const server = await sandboxServer(msg);
  onTestFinished(async () => void (await server.stop()));
  return { msg, env: envOf(server.baseUrl) };
};

export const doors = [
  ["in its process", inProcess],
  ["over HTTP", overHttp],
] as const;
