/** What a command is handed, and how it is built from a process. */
import { openSource } from "./bulk/sources.ts";
import type { Client } from "./client/client.ts";
import type { Tree } from "./commands/entry.ts";
import type { Globals } from "./commands/line/globals.ts";
import { groups, table } from "./commands/table.ts";
import { stateFolder } from "./config/paths.ts";
import { resolveSettings } from "./config/resolve.ts";
import type { SettingFlags, Settings } from "./config/settings.ts";
import { type ConfigStore, openConfig, type UserPort } from "./config/store.ts";
import { type ClientAt, connect, sandboxFile } from "./connect.ts";
import { usage } from "./errors.ts";
import { chooseView } from "./output/choose-view.ts";
import { asMsgError, renderError } from "./output/error.ts";
import { notice } from "./output/notice.ts";
import { createOut, type Out } from "./output/out.ts";
import { createRedactor, type Redactor } from "./output/redact.ts";
import { safe } from "./output/safe.ts";
import { wantsColour } from "./output/style.ts";
import type { View } from "./output/view.ts";
import type { Io } from "./process.ts";
import type { Ask } from "./prompt/ask.ts";
import { createAsk } from "./prompt/prompt.ts";

/** Everything a command may touch. Built once per command; tests build their own. */
export interface Context {
  /** Data. */
  readonly out: Out;
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
  /**
   * A client for another host or key than those of this command: to check a login before it is kept,
   * and, without credentials, to read what is open to all.
   */
  readonly clientAt: ClientAt;
  /** The database of the profile's sandbox. */
  readonly sandboxFile: () => string;
  /** The bytes of a file, or of standard input for `-`. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** True when standard input is a terminal: nothing is waiting there. */
  readonly stdinIsTTY: boolean;
  /** Shows an address in the browser of this machine, where there is one. */
  readonly open: (address: string) => Promise<void>;
  /** Every command, for those that list the others. */
  readonly tree: Tree;
  /** The environment and the versions of this program's surroundings. */
  readonly env: Io["env"];
  readonly versions: { readonly node: string };
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

/** What the operator agreed to on the command line. */
export interface Consent {
  /** --yes: answers confirmations with yes. */
  readonly yes: boolean;
  /** --confirm: the text that a confirmation asks to type. */
  readonly typed: string | undefined;
  /** --dry-run: nothing that writes is sent. */
  readonly dryRun: boolean;
}

/** A context with what belongs to its end. */
export interface Built {
  readonly context: Context;
  /** Prints an error in the form that was asked for; answers its exit code. */
  readonly fail: (error: unknown) => Promise<number>;
  /** Closes connections and the sandbox. */
  readonly close: () => Promise<void>;
}

/** What a command says of itself before there is a context. */
export interface Need {
  readonly profile: string | undefined;
  readonly mayBeNew: boolean;
}

/** Builds what a command is handed from the process and the global flags. Opens no connection. */
export const buildContext = async (io: Io, globals: Globals, need: Need): Promise<Built> => {
  const redactor = createRedactor();
  const { env, now, random, ticks, wait, signal } = io;
  const config = openConfig({ env, port: io.user, random, ticks, wait });
  const { profile: defaultProfile, mayBeNew } = need;
  const flags = settingFlags(globals);
  const settings = await resolveSettings({ flags, env, config, defaultProfile, mayBeNew });
  const noColour = globals["no-color"] === true;
  const out = outOver(io, io.stdout, noColour, redactor);
  const err = outOver(io, io.stderr, noColour, redactor);
  const view = viewOf(globals, settings, out);
  const consent = consentOf(globals);
  const log = globals.debug ? (line: string) => void err.write(`${safe(line)}\n`) : undefined;
  const { hide } = redactor;
  const { client, clientAt, close } = connect({
    io,
    settings,
    config,
    dryRun: consent.dryRun,
    log,
    tell: (line) => void notice(err, view, line),
    hide,
  });
  const standardInput = readOnce(() => io.stdin());
  const context: Context = {
    ...{ out, err, view, consent, settings, config, hide, client, clientAt },
    ...{ tree: { table, groups }, env, versions: io.versions, now, random, wait, signal },
    ...{ user: io.user, ticks },
    stateFolder: () => stateFolder(env),
    note: (line) => notice(err, view, line),
    ask: settings.noInput.value ? undefined : personOf(io, err, redactor),
    sandboxFile: () => sandboxFile(env),
    open: async (address) => io.open?.(address),
    read: (path) => (path === "-" ? standardInput() : openSource(path)),
    get stdinIsTTY() {
      return io.stdinIsTTY;
    },
  };
  return { context, fail: (error) => told(err, view, globals, error), close };
};

/** Whoever comes second would take it for empty. */
const readOnce = (stdin: Io["stdin"]): Io["stdin"] => {
  const reads = { count: 0 };
  return () => {
    reads.count += 1;
    if (reads.count === 1) return stdin();
    throw usage("standard input is to be read twice", {
      todo: "name a file, or @file, in the place of one of the two",
    });
  };
};

const consentOf = (globals: Globals): Consent => ({
  yes: globals.yes === true,
  typed: textOf(globals.confirm),
  dryRun: globals["dry-run"] === true,
});

const told = async (err: Out, view: View, globals: Globals, thrown: unknown): Promise<number> => {
  const error = asMsgError(thrown);
  const json = view.format === "json" || view.format === "jsonl";
  await renderError(err, thrown, { json, debug: globals.debug === true });
  return error.exitCode;
};

const textOf = (value: string | true | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

const settingFlags = (globals: Globals): SettingFlags => ({
  profile: textOf(globals.profile),
  sandbox: globals.sandbox === true,
  baseUrl: textOf(globals["base-url"]),
  authUrl: textOf(globals["auth-url"]),
  output: textOf(globals.output),
  tz: textOf(globals.tz),
  timeout: textOf(globals.timeout),
  noInput: globals["no-input"] === true || undefined,
});

const outOver = (io: Io, stream: Io["stdout"], noColour: boolean, redactor: Redactor): Out => {
  const isTTY = stream.isTTY === true;
  return createOut(stream, {
    isTTY,
    get columns() {
      return stream.columns;
    },
    colour: wantsColour({ env: io.env, noColour, isTTY }),
    redact: redactor.clean,
  });
};

const viewOf = (globals: Globals, settings: Settings, out: Out): View =>
  chooseView({
    format: settings.output.value,
    fields: textOf(globals.fields),
    noHeader: globals["no-header"] === true,
    bom: globals.bom === true,
    get timeZone() {
      return settings.timeZone.value;
    },
    quiet: globals.quiet === true,
    envelope: globals.envelope === true,
    isTTY: out.isTTY,
  });

/** There is somebody to ask where both input and standard error are a terminal. */
const personOf = (io: Io, err: Out, redactor: Redactor): Ask | undefined => {
  if (io.person) return io.person;
  if (!err.isTTY || !io.stdinIsTTY) return undefined;
  const clean = (text: string): string => safe(redactor.clean(text));
  return createAsk({
    input: io.stdin(),
    output: io.stderr,
    signal: io.signal,
    clean,
    colour: err.colour,
  });
};
