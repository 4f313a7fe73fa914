/** Builds what a command is handed from a process and the global flags. */
import type { Context, PaymentEngine } from "../cli/context.ts";
import type { Globals } from "../cli/parse/globals.ts";
import { openConfig } from "../config/files/store.ts";
import { stateFolder } from "../config/paths.ts";
import { resolveSettings } from "../config/resolve.ts";
import type { SettingFlags, Settings } from "../config/settings.ts";
import { toMsgError, usageError } from "../errors.ts";
import { renderError } from "../output/error.ts";
import { isJson } from "../output/fields.ts";
import { createOut, type Out, printNotice } from "../output/out.ts";
import { createRedactor, type Redactor } from "../output/text/redact.ts";
import { sanitize } from "../output/text/safe.ts";
import { wantsColour } from "../output/text/style.ts";
import { chooseView, type View } from "../output/view.ts";
import type { EnvironmentPort, IoPort } from "../ports.ts";
import type { Consent } from "../prompt/confirm.ts";
import { type Ask, createAsk } from "../prompt/prompt.ts";
import { openSource } from "../send/sources/open-source.ts";
import { connect, sandboxFile } from "./connect.ts";
import type { Io } from "./process.ts";

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
  const { env, random, ticks, wait, signal } = io;
  const config = openConfig({ env, port: io.user, random, ticks, wait });
  const { profile: defaultProfile, mayBeNew } = need;
  const flags = settingFlags(globals);
  const settings = await resolveSettings({ flags, env, config, defaultProfile, mayBeNew });
  const noColour = globals["no-color"] === true;
  const out = outOver(io, io.stdout, noColour, redactor);
  const err = outOver(io, io.stderr, noColour, redactor);
  const view = viewOf(globals, settings, out);
  const consent = consentOf(globals);
  const log = globals.debug ? (line: string) => void err.write(`${sanitize(line)}\n`) : undefined;
  const { redact } = redactor;
  const { client, clientAt, close } = connect({
    io,
    settings,
    config,
    dryRun: consent.dryRun,
    log,
    report: (line) => void printNotice(err, view, line),
    redact,
  });
  const context: Context = {
    io: ioOf(io, out, err),
    clock: { now: io.now, ticks: io.ticks, wait: io.wait },
    environment: environmentOf(io),
    session: { client, clientAt, config, redact },
    ...{ view, consent, settings, signal, payments: paymentEngine },
    note: (line) => printNotice(err, view, line),
    ask: settings.noInput.value ? undefined : personOf(io, err, redactor),
  };
  return { context, fail: (error) => reportError(err, view, globals, error), close };
};

const ioOf = (io: Io, out: Out, err: Out): IoPort => {
  const standardInput = readOnce(() => io.stdin());
  return {
    ...{ out, err },
    read: (path) => (path === "-" ? standardInput() : openSource(path)),
    get stdinIsTTY() {
      return io.stdinIsTTY;
    },
    open: async (address) => io.open?.(address),
  };
};

const environmentOf = ({ env, versions, user, random }: Io): EnvironmentPort => ({
  ...{ env, versions, user, random },
  stateFolder: () => stateFolder(env),
  sandboxFile: () => sandboxFile(env),
});

/** Whoever comes second would take it for empty. */
const readOnce = (stdin: Io["stdin"]): Io["stdin"] => {
  const reads = { count: 0 };
  return () => {
    reads.count += 1;
    if (reads.count === 1) return stdin();
    throw usageError("standard input is to be read twice", {
      todo: "name a file, or @file, in the place of one of the two",
    });
  };
};

const consentOf = (globals: Globals): Consent => ({
  yes: globals.yes === true,
  typed: textOf(globals.confirm),
  dryRun: globals["dry-run"] === true,
});

const reportError = async (
  err: Out,
  view: View,
  globals: Globals,
  thrown: unknown,
): Promise<number> => {
  const error = toMsgError(thrown);
  const json = isJson(view);
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
  const clean = (text: string): string => sanitize(redactor.clean(text));
  return createAsk({
    input: io.stdin(),
    output: io.stderr,
    signal: io.signal,
    clean,
    colour: err.colour,
  });
};

/** Most commands move no money: what protects such a call is loaded with the first one. */
const paymentEngine: PaymentEngine = {
  reportOpen: async (ctx) => {
    const { reportPayments } = await import("../reconcile/report-payments.ts");
    await reportPayments(ctx);
  },
  protect: async (ctx, call) => {
    const { createPaymentClient: paying } = await import("../payments/call.ts");
    return paying(await ctx.session.client(), { ctx, ...call });
  },
};
