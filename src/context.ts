/** What a command is handed, and how it is built from a process. */
import type { Client } from "./client/client.ts";
import type { Settings } from "./config/settings.ts";
import type { Out } from "./output/out.ts";
import type { View } from "./output/view.ts";
import type { Ask } from "./prompt/ask.ts";

/** Everything a command may touch. Built once per command; tests build their own. */
export interface Context {
  /** Data. */
  readonly out: Out;
  /** Everything else. */
  readonly err: Out;
  /** How results are shown: format, fields, time zone. */
  readonly view: View;
  /** Undefined where there is nobody to ask. */
  readonly ask: Ask | undefined;
  readonly settings: Settings;
  /** Opens nothing until called; the same client each time. */
  readonly client: () => Promise<Client>;
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  /** Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}
