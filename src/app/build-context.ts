/** Builds what a command is handed from a process and the global flags. */

import { addAbortSignal, Readable, Writable } from "node:stream";
import type { Context, PaymentEngine } from "../cli/context.ts";
import type { Globals } from "../cli/parse/global-flags.ts";
import type { ParsedLine } from "../cli/parse/parse-line.ts";
import { stateFolder } from "../config/paths.ts";
import { loginId, resolveSettings } from "../config/resolve.ts";
import type { Settings } from "../config/settings.ts";
import { openConfig } from "../config/store.ts";
import { diskFiles, type Files } from "../durable/files.ts";
import { usageError } from "../errors.ts";
import { showTimes, t } from "../locale/locale.ts";
import { renderError } from "../output/error.ts";
import { isJson } from "../output/fields.ts";
import { createOut, type Out, printNotice } from "../output/out.ts";
import { timeText } from "../output/text/cell.ts";
import { createRedactor, type Redactor } from "../output/text/redact.ts";
import { sanitize } from "../output/text/safe.ts";
import { wantsColour } from "../output/text/style.ts";
import type { View } from "../output/view.ts";
import type { EnvironmentPort, IoPort } from "../ports.ts";
import { type Ask, type Consent, createAsk, interruptedError } from "../prompt/prompt.ts";
import { openSource } from "../send/sources/open-source.ts";
import { connect, createSpendingGate, sandboxFile } from "./connect.ts";
import type { Io } from "./process.ts";
import { carryProfile, profileOfRun } from "./profile-and-language.ts";
import { createKeyboard, type Keyboard } from "./terminal.ts";

/** Runs a line as a process of its own would; a parameter, since app may not import it. */
type Main = (io: Io) => Promise<number>;

/**
 * Builds what a command is handed from the process and its line; opens no connection. `fail` prints an error in the
 * requested format and returns its exit code; `close` closes connections and the sandbox.
 */
export const buildContext = async (io: Io, typed: ParsedLine, main: Main) => {
  const { globals } = typed;
  const redactor = createRedactor();
  const { env, now, random, ticks, wait, signal, files = diskFiles } = io;
  const config = openConfig({ env, port: io.user, random, ticks, wait, files });
  const settings = await resolveSettings({ env, config, ...choiceOf(io, typed) });
  const out = outOver(io, io.stdout, globals, redactor);
  const err = outOver(io, io.stderr, globals, redactor);
  const view = viewOf(globals, settings, out);
  const stopTimes = showTimesIn(view);
  const consent = consentOf(globals);
  const carry = carryProfile(settings, env);
  const stored = { config, redact: redactor.redact };
  const { client, clientAt, close } = connect({ io, settings, err, view, consent, ...stored });
  const { guard, ...spending } = createSpendingGate(() => context);
  const keyboard = createKeyboard(io);
  const context: Context = {
    io: ioOf(io, out, err, keyboard),
    clock: { now, ticks, wait },
    environment: environmentOf(io, files),
    session: { ...spending, client: async () => guard(await client()), clientAt, ...stored },
    view,
    consent,
    settings,
    signal,
    payments: paymentEngine,
    runLine: lineRunner(io, globals, settings, main),
    note: (line) => printNotice(err, view, carry(line)),
    ask: settings.noInput.value ? undefined : personOf(io, err, redactor, keyboard),
  };
  return {
    context,
    fail: (error: unknown) => renderError(err, error, { ...view, json: isJson(view), carry }),
    close: async (): Promise<void> => {
      keyboard.close();
      stopTimes();
      await close();
    },
  };
};

/** What decides about the profile besides the environment: the flags, the command, the run that the line names. */
const choiceOf = (io: Io, typed: ParsedLine) => {
  const { mayBeNew, mayBeBroken, profile = profileOfRun(io, typed) } = typed.verb;
  return { flags: typed.globals, defaultProfile: profile, mayBeNew, mayBeBroken };
};

/** JSON, its errors included, shows times as the service does. The zone is read when a time is shown. */
const showTimesIn = (view: View): (() => void) =>
  isJson(view) ? () => undefined : showTimes((time) => timeText(view)(time));

const ioOf = (io: Io, out: Out, err: Out, keyboard: Keyboard): IoPort => {
  const standardInput = readOnce(() => io.stdin());
  const read = (path: string) => {
    if (path === "-") return untilStopped(standardInput(), io.signal);
    if (io.readsFiles === false)
      throw usageError(t`no file can be named here`, { code: "NoFiles" });
    return openSource(path);
  };
  return {
    out,
    err,
    read,
    keys: keyboard.keys,
    text: async (path) => {
      const { readWholeText } = await import("../send/sources/decode.ts");
      return readWholeText(read(path), path === "-" ? t`standard input` : path);
    },
    get stdinIsTTY() {
      return io.stdinIsTTY;
    },
    open: async (address) => io.open?.(address),
  };
};

const environmentOf = ({ env, versions, user, random }: Io, files: Files): EnvironmentPort => ({
  env,
  versions,
  user,
  random,
  files,
  stateFolder: () => stateFolder(env),
  sandboxFile: () => sandboxFile(env),
});

/** A second reader would find standard input empty. */
const readOnce = (stdin: Io["stdin"]): Io["stdin"] => {
  const reads = { count: 0 };
  return () => {
    reads.count += 1;
    if (reads.count === 1) return stdin();
    throw usageError(t`standard input can be read only once`, {
      todo: t`name a file, or @file, instead of one of the two`,
    });
  };
};

/** Whoever writes to this process may stay silent for ever. Throws interrupted once `signal` fires. */
async function* untilStopped(input: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* addAbortSignal(signal, input);
  } catch (error) {
    throw signal.aborted ? interruptedError(error) : error;
  }
}

const consentOf = (globals: Globals): Consent => ({
  yes: globals.yes === true,
  typed: globals.confirm,
  dryRun: globals["dry-run"] === true,
});

const outOver = (io: Io, stream: Io["stdout"], globals: Globals, redactor: Redactor): Out => {
  const isTTY = stream.isTTY === true;
  const colour = wantsColour({ env: io.env, noColour: globals["no-color"] === true, isTTY });
  return createOut(stream, { colour, redact: redactor.clean });
};

/** A table on a terminal, TSV without a header into a pipe; a chosen format has a header. */
const viewOf = (globals: Globals, settings: Settings, { isTTY }: Out): View => {
  const chosen = settings.output.value;
  const fields = globals.fields?.split(",").map((name) => name.trim());
  return {
    format: chosen ?? (isTTY ? "table" : "tsv"),
    fields: fields?.filter((name) => name !== ""),
    header: !globals["no-header"] && (chosen !== undefined || isTTY),
    wide: globals.wide === true,
    bom: globals.bom === true,
    get timeZone() {
      return settings.timeZone.value;
    },
    quiet: globals.quiet === true,
    envelope: globals.envelope === true,
    debug: globals.debug === true,
  };
};

/** There is a person to ask if standard error is a terminal: at its keyboard, whatever is piped in. */
const personOf = (io: Io, err: Out, redactor: Redactor, keyboard: Keyboard): Ask | undefined => {
  if (io.person) return io.person;
  const input = err.isTTY ? keyboard.open() : undefined;
  if (input === undefined) return undefined;
  const clean = (text: string): string => sanitize(redactor.clean(text));
  return createAsk({ input, output: io.stderr, signal: io.signal, clean, colour: err.colour });
};

/** Most commands move no money: the code that protects such a call is loaded with the first one. */
const paymentEngine: PaymentEngine = {
  reportOpen: async (ctx, pays) => {
    const { reportPayments } = await import("../reconcile/earlier-payments.ts");
    await reportPayments(ctx, pays);
  },
  protect: async (ctx, call) => {
    const { createPaymentClient } = await import("../payments/call.ts");
    return createPaymentClient(ctx, call);
  },
};

/** Flags of the command that hold for its lines too: which account, and where. */
const carried = ["profile", "sandbox", "base-url", "auth-url", "timeout", "tz"] as const;

/** What runs lines for long keeps its profile, whichever an operator makes the current one meanwhile. */
const currentProfile = ({ profile: { value, origin } }: Settings): Pick<Globals, "profile"> =>
  origin === "profile" ? { profile: value } : {};

const lineRunner =
  (io: Io, globals: Globals, settings: Settings, main: Main): Context["runLine"] =>
  async (argv, stdin = "") => {
    const [out, err] = [collector(), collector()];
    // A sandbox command names its profile, and so its caller, itself.
    const isOwn = argv[0] !== "sandbox";
    const flags = isOwn ? flagsIn({ ...globals, ...currentProfile(settings) }) : [];
    // Without the terminal and its person.
    const { terminal: _terminal, person: _person, open: _open, ...same } = io;
    const code = await main({
      ...same,
      argv: [...flags, ...argv],
      stdin: () => Readable.from(stdin === "" ? [] : [Buffer.from(stdin)]),
      stdinIsTTY: false,
      stdout: out.stream,
      stderr: err.stream,
      readsFiles: false,
      ...(isOwn && { caller: { login: loginId(settings) } }),
    });
    return { code, out: out.text(), err: err.text() };
  };

const flagsIn = (globals: Globals): readonly string[] =>
  carried.flatMap((name) => {
    const value = globals[name];
    if (value === undefined) return [];
    return value === true ? [`--${name}`] : [`--${name}=${value}`];
  });

const collector = () => {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString("utf8") };
};
