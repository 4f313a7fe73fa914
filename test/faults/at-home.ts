/** A home in which commands run in this process, but for those that a test kills. */
import { join } from "node:path";
import { type Program, program } from "../e2e/program.ts";
import { type Ran, type Shell, shell } from "../support/msg.ts";

export interface AtHome {
  (...call: Parameters<Shell>): Promise<Ran>;
  /** The built program, in the same home. */
  readonly start: Program["start"];
  readonly folder: string;
  readonly env: Program["env"];
}

export const atHome = (): AtHome => {
  const { env, folder, start } = program();
  const places = {
    MSG_STATE_DIR: join(folder, "state/msg"),
    MSG_CONFIG_DIR: join(folder, "config/msg"),
  };
  const run = shell({ env: { ...env, ...places } });
  return Object.assign((...call: Parameters<Shell>) => run(...call), { start, folder, env });
};
