/** What the engines are handed: the effects and the settings of one command, as one object. */
import type { Client, ClientAt } from "./client/client.ts";
import type { Conversation } from "./client/layers/second-factor.ts";
import type { Clocks } from "./client/service-clock.ts";
import type { Env } from "./config/paths.ts";
import type { Settings } from "./config/settings.ts";
import type { ConfigStore, UserPort } from "./config/store.ts";
import type { Endpoint, UntypedRequest } from "./contract/endpoint.ts";
import type { Files } from "./durable/files.ts";
import type { Out } from "./output/out.ts";
import type { View } from "./output/view.ts";
import type { Ask, Consent } from "./prompt/prompt.ts";

export interface Ports {
  readonly clock: ClockPort;
  readonly io: IoPort;
  readonly environment: EnvironmentPort;
  readonly session: SessionPort;
  /** One line on standard error, unless --quiet. */
  readonly note: (line: string) => Promise<void>;
  /** How results are shown: format, fields, time zone. */
  readonly view: View;
  /** Undefined where there is no one to ask. */
  readonly ask: Ask | undefined;
  readonly consent: Consent;
  readonly settings: Settings;
  /** Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}

/** The time, by a clock that may be set and by one that is never set. */
export interface ClockPort extends Clocks {
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What is written and read. */
export interface IoPort {
  /** Data. */
  readonly out: Out;
  /** Notes, progress, questions and errors. */
  readonly err: Out;
  /** The bytes of a file, or of standard input for `-`. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** The same as a text, decoded as a list of rows is. Throws MsgError (usage) for what is no text. */
  readonly text: (path: string) => Promise<string>;
  /**
   * Hands over each key that is pressed, until the function that it answers is called. Undefined where no
   * one sits at a keyboard. Ctrl-C comes as a key as well.
   */
  readonly keys: (pressed: (key: string) => void) => (() => void) | undefined;
  /** True when standard input is a terminal: nothing is waiting there. */
  readonly stdinIsTTY: boolean;
  /** Shows an address in the browser of this machine, where there is one. */
  readonly open: (address: string) => Promise<void>;
}

/** The machine and the user that msg runs for. */
export interface EnvironmentPort {
  /** The environment and the versions of this program's surroundings. */
  readonly env: Env;
  readonly versions: { readonly node: string };
  /** This process as far as files are concerned. */
  readonly user: UserPort;
  /** Where settings and runs are kept. */
  readonly files: Files;
  /** Folder of what commands leave behind. Throws MsgError (usage) where there is no home. */
  readonly stateFolder: () => string;
  /** The database of the profile's sandbox. */
  readonly sandboxFile: () => string;
  readonly random: (bytes: number) => Uint8Array;
}

/** Who calls, and what is stored of the callers. */
export interface SessionPort {
  /** Opens nothing until called; the same client each time. */
  readonly client: () => Promise<Client>;
  /**
   * A client for another host or key than those of this command: to check a login before it is kept,
   * and, without credentials, to read what is open to all.
   */
  readonly clientAt: ClientAt;
  /** Profiles and credentials of this user. */
  readonly config: ConfigStore;
  /** From now on the client sends and pays. Called by the guard of spending alone. */
  readonly allowSpending: () => void;
  /** Asks the guard of spending, as the client does before a call. Throws MsgError (stopped). */
  readonly assertMayCall: (endpoint: Endpoint, input: UntypedRequest) => Promise<void>;
  /** From now on this text is taken out of everything that is written. */
  readonly redact: (secret: string) => void;
}

/** What the calls of one command share that cannot happen twice. */
export interface ProtectedCall {
  /** `balance charge` */
  readonly command: string;
  readonly conversation: Conversation;
  readonly reconcileMs: number;
  /** Made although the outcome of the same call is unknown. */
  readonly again: boolean;
}
