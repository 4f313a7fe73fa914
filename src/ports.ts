/** What the engines are handed: the effects and the settings of one command, as one object. */
import type { Client } from "./client/client.ts";
import type { ConfigStore, UserPort } from "./config/files/store.ts";
import type { Settings } from "./config/settings.ts";
import type { Out } from "./output/out.ts";
import type { View } from "./output/view.ts";
import type { Ask } from "./prompt/ask.ts";
import type { Consent } from "./prompt/confirm.ts";

export interface Ports {
  /** Everything else. */
  readonly err: Out;
  /** One line on standard error, unless --quiet. */
  readonly note: (line: string) => Promise<void>;
  /** How results are shown: format, fields, time zone. */
  readonly view: View;
  /** Undefined where there is nobody to ask. */
  readonly ask: Ask | undefined;
  readonly consent: Consent;
  readonly settings: Settings;
  /** Profiles and credentials of this user. */
  readonly config: ConfigStore;
  /** From now on this text is taken out of everything that is written. */
  readonly hide: (secret: string) => void;
  /** Opens nothing until called; the same client each time. */
  readonly client: () => Promise<Client>;
  /** The bytes of a file, or of standard input for `-`. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** True when standard input is a terminal: nothing is waiting there. */
  readonly stdinIsTTY: boolean;
  /** Folder of what commands leave behind. Throws MsgError (usage) where there is no home. */
  readonly stateFolder: () => string;
  /** This process as far as files are concerned. */
  readonly user: UserPort;
  readonly now: () => Date;
  /** Milliseconds by a clock that nobody sets. */
  readonly ticks: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}
