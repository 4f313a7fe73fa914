/** What the engines receive: the effects and the settings of one command, as one object. */
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
  /** Undefined if there is no one to ask. */
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

export interface IoPort {
  /** Data. */
  readonly out: Out;
  /** Notes, progress, questions and errors. */
  readonly err: Out;
  /** The bytes of a file, or of standard input for `-`. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** The same as a text, decoded like a list of rows. Throws MsgError (usage) for anything but text. */
  readonly text: (path: string) => Promise<string>;
  /**
   * Passes on each pressed key until the returned function is called. Undefined if there is no keyboard.
   * Ctrl-C comes as a key as well.
   */
  readonly keys: (pressed: (key: string) => void) => (() => void) | undefined;
  /** True when standard input is a terminal: nothing is waiting there. */
  readonly stdinIsTTY: boolean;
  /** Shows an address in the browser of this machine, if there is one. */
  readonly open: (address: string) => Promise<void>;
}

/** The machine and the user that msg runs for. */
export interface EnvironmentPort {
  readonly env: Env;
  /** What this program runs on. */
  readonly versions: { readonly node: string };
  /** This process as far as files are concerned. */
  readonly user: UserPort;
  /** Where settings and runs are kept. */
  readonly files: Files;
  /** Folder for the state that commands keep. Throws MsgError (usage) if there is no home. */
  readonly stateFolder: () => string;
  /** The database of the profile's sandbox. */
  readonly sandboxFile: () => string;
  readonly random: (bytes: number) => Uint8Array;
}

/** The caller, and what is stored about callers. */
export interface SessionPort {
  /** Opens nothing until called; the same client each time. */
  readonly client: () => Promise<Client>;
  /**
   * A client for another host or key than those of this command: to check a login before it is stored, and,
   * without credentials, to get a token or to read public data.
   */
  readonly clientAt: ClientAt;
  /** Profiles and credentials of this user. */
  readonly config: ConfigStore;
  /** From now on the client sends and pays. Called only by the spending guard. */
  readonly allowSpending: () => void;
  /** Asks the spending guard, as the client does before a call. Throws MsgError (stopped). */
  readonly assertMayCall: (endpoint: Endpoint, input: UntypedRequest) => Promise<void>;
  /** From now on this text is redacted from everything that is written. */
  readonly redact: (secret: string) => void;
}

/** Shared by the calls of one command that must not happen twice. */
export interface ProtectedCall {
  /** `balance charge` */
  readonly command: string;
  readonly conversation: Conversation;
  readonly reconcileMs: number;
  /** Make the call although the outcome of the same call is unknown. */
  readonly again: boolean;
}
