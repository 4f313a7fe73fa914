/** `msg` with the sandbox in its own process, and with one that is served over HTTP: the same commands for both. */
import { join } from "node:path";
import { openServer } from "../sandbox/serve.ts";
import { type Options, type Shell, shell } from "./msg.ts";
import { envOf } from "./signer.ts";

export interface OpenDoor {
  /** Names the sandbox by itself. */
  readonly msg: Shell;
  readonly close: () => Promise<void>;
}

type Timed = Required<Pick<Options, "now">> & Pick<Options, "wait">;

const inProcess = async (clock: Timed): Promise<OpenDoor> => ({
  msg: shell({ ...clock, env: { MSG_PROFILE: "sandbox" } }),
  close: async () => undefined,
});

/** Both are on one file, and share its time. */
const overHttp = async (clock: Timed): Promise<OpenDoor> => {
  const base = shell(clock);
  await base("balance --sandbox");
  const file = join(base.folder, "state", "sandbox", "sandbox.db");
  const { url, close } = await openServer({ file, now: clock.now });
  const env = envOf(url);
  const msg = (line: string | readonly string[], options: Options = {}) =>
    base(line, { ...options, env: { ...env, ...options.env } });
  return { msg: Object.assign(msg, { folder: base.folder, env: { ...base.env, ...env } }), close };
};

export const twoDoors = [
  ["in this process", inProcess],
  ["over HTTP", overHttp],
] as const;
