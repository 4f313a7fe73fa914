import { lookup } from "node:dns/promises";
import { platform } from "node:os";
import { delimiter, join } from "node:path";
import { tool } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { isForbiddenByService } from "../client/refusal.ts";
import { formatOffset } from "../client/service-clock.ts";
import { proxyFor } from "../client/transport/connector.ts";
import { loginCommand } from "../config/resolve.ts";
import { hostOf, type Settings } from "../config/settings.ts";
import { getBalance } from "../contract/cash.ts";
import { flag } from "../contract/fields.ts";
import { createGroup, deleteGroup, listGroups, readGroup, sendGroup } from "../contract/groups.ts";
import type { Answer } from "../contract/wire.ts";
import { diskFiles, quietly } from "../durable/files.ts";
import { MsgError, passable } from "../errors.ts";
import { t } from "../locale/locale.ts";

type Verdict = "ok" | "warning" | "wrong" | "skipped";
type Finding = ReturnType<typeof finding>;

const finding = (check: string, verdict: Verdict, text: string) => ({ check, verdict, text });

export default tool({
  mayBeBroken: true,
  additionalEndpoints: [getBalance, createGroup, listGroups, readGroup, deleteGroup, sendGroup],
  flags: {
    sending: flag(
      "check, with an empty group that is deleted again, that several machines can safely send the same list",
    ),
  },
  columns: ["check", "verdict", "text"],
  examples: [
    "msg doctor",
    "msg doctor -p work --json",
    "msg doctor --sandbox",
    "msg doctor --sending",
  ],
  run: async (ctx, { flags }) => {
    const rows = [
      node(ctx),
      path(ctx),
      ...(await files(ctx)),
      ...(await route(ctx)),
      ...(await service(ctx)),
      ...(flags.sending ? await sending(ctx) : []),
    ];
    const wrong = rows.filter((it) => it.verdict === "wrong");
    if (wrong.length === 0) return { rows };
    const ending = new MsgError("usage", t`${wrong.length} of ${rows.length} checks failed`, {
      code: "Unhealthy",
      // A table that is cut to the screen may hide what to do.
      todo: wrong.map(({ check, text }) => `${check}: ${text}`).join("; "),
    });
    return { rows, ending };
  },
});

const node = ({ environment: { versions } }: Context): Finding => {
  const [major = 0, minor = 0] = versions.node.split(".").map(Number);
  const isFit = major > 20 || (major === 20 && minor >= 18);
  return isFit
    ? finding("node", "ok", versions.node)
    : finding("node", "wrong", t`${versions.node}; 20.18 or later is required`);
};

const path = ({ environment: { env } }: Context): Finding => {
  const names = platform() === "win32" ? ["msg.cmd", "msg.exe"] : ["msg"];
  const found = (env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter(isFile);
  const [first] = found;
  if (first === undefined) return finding("path", "warning", t`msg is not on PATH`);
  // Two matches may be one program: PATH holds a folder twice, or a link.
  const other = found.find((path) => diskFiles.real(path) !== diskFiles.real(first));
  return other === undefined
    ? finding("path", "ok", first)
    : finding("path", "warning", t`${first}; ${other} is another program`);
};

/** An entry of PATH may be unreadable, or not a folder: then the shell finds nothing there either. */
const isFile = (path: string): boolean => quietly(() => diskFiles.stat(path))?.kind === "file";

/** Files with secrets or messages must be private to their owner; their absence is not a fault. */
const files = ({ session: { config }, environment }: Context): Promise<Finding[]> => {
  const named: [string, () => string][] = [
    ["credentials", config.credentialsFile],
    ["settings", config.configFile],
    ["state", environment.stateFolder],
  ];
  const findings = named.map(async ([name, pathOf]) => {
    try {
      const file = pathOf();
      const found = environment.files.stat(file);
      if (!found) return finding(name, "ok", t`${file} does not exist yet`);
      if (name === "settings") await config.read();
      const isOpen = platform() !== "win32" && (found.mode & 0o077) !== 0;
      if (!isOpen) return finding(name, "ok", t`${file}, mode ${found.mode.toString(8)}`);
      const verdict = name === "credentials" ? "wrong" : "warning";
      return finding(name, verdict, t`${file} is readable by other users; run chmod go= '${file}'`);
    } catch (error) {
      return finding(name, "wrong", messageOf(error));
    }
  });
  return Promise.all(findings);
};

/** The route to the host: through a proxy, which then resolves its name, or direct. */
const route = async ({ settings, environment: { env } }: Context): Promise<Finding[]> => {
  const url = settings.baseUrl.value;
  if (url === undefined)
    return ["proxy", "dns"].map((it) => finding(it, "skipped", t`this profile has no host`));
  const { hostname } = new URL(url);
  try {
    const proxy = proxyFor(new URL(url), env);
    if (!proxy) return [finding("proxy", "ok", t`none`), await dns(hostname)];
    return [
      finding("proxy", "ok", t`through ${proxy.host}`),
      finding("dns", "skipped", t`the proxy resolves ${hostname}`),
    ];
  } catch (error) {
    return [finding("proxy", "wrong", messageOf(error)), await dns(hostname)];
  }
};

const dns = async (hostname: string): Promise<Finding> => {
  try {
    const { address } = await lookup(hostname.replace(/[[\]]/g, ""));
    return finding("dns", "ok", `${hostname}: ${address}`);
  } catch (error) {
    return finding("dns", "wrong", `${hostname}: ${messageOf(error)}`);
  }
};

/** One signed read checks the network, TLS, the clock and the credentials at once. */
const service = async (ctx: Context): Promise<Finding[]> => {
  const { settings } = ctx;
  try {
    if (settings.credentials.value === undefined) {
      const text = t`not logged in; run ${loginCommand(settings)}, or try --sandbox`;
      return [finding("login", "warning", text)];
    }
    let date: string | undefined;
    const onAnswer = ({ headers }: Answer): void => {
      date = headers.date;
    };
    await (await ctx.session.client()).call(getBalance, {}, { onAnswer });
    return answered(ctx, t`a signed request succeeded`, clock(date, ctx.clock.now()));
  } catch (error) {
    const problem = passable(error);
    const { kind, code, message } = problem;
    const text = messageOf(problem);
    if (code === "RequestTimeTooSkewed")
      return [finding("network", "ok", t`answered`), finding("clock", "wrong", text)];
    if (isForbiddenByService(problem))
      return answered(ctx, t`valid, but may not read the balance: ${message}`);
    const isLogin = kind === "unauthenticated" || kind === "usage";
    return [finding(isLogin ? "login" : "network", "wrong", text)];
  }
};

/** After a failure here only the promise for one machine is left, and send-many says so from then on. */
const sending = async (ctx: Context): Promise<Finding[]> => {
  try {
    const { tryAssumptions } = await import("../send/guards/assumptions.ts");
    const tried = await tryAssumptions(ctx);
    return tried.map(({ assumption, holds }) =>
      holds
        ? finding("sending", "ok", assumption)
        : finding(
            "sending",
            "wrong",
            t`this does not hold: ${assumption}; send each list from one machine only`,
          ),
    );
  } catch (error) {
    return [finding("sending", "wrong", t`could not be checked: ${passable(error).message}`)];
  }
};

/** A request whose date is a quarter of an hour off is refused; a good clock is off by less than a second. */
const clock = (date: string | undefined, now: Date): Finding => {
  const minutesOff = Math.abs(now.getTime() - Date.parse(date ?? "")) / 60_000;
  const offset = formatOffset(date, now) ?? "";
  if (minutesOff >= 15) return finding("clock", "wrong", t`${offset}; set the clock`);
  return minutesOff >= 1
    ? finding("clock", "warning", t`${offset}; at 15 minutes requests are refused: set the clock`)
    : finding("clock", "ok", t`within a minute of the service's clock`);
};

const answered = ({ settings }: Context, text: string, clock?: Finding): Finding[] => {
  const url = settings.baseUrl.value;
  const line =
    url === undefined
      ? t`the sandbox in this process`
      : t`${hostOf(url)} over ${url.split(":")[0] ?? ""}`;
  return [
    finding("network", "ok", line),
    clock ?? finding("clock", "ok", t`within 15 minutes of the service's clock`),
    finding("login", "ok", `${text} (${sourceOf(settings)})`),
  ];
};

const sourceOf = ({ profile, credentials: { origin, from } }: Settings): string => {
  if (origin === "profile") return t`profile ${profile.value}`;
  return origin === "default" ? t`built in` : from;
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return t`cannot be read`;
  const todo = error instanceof MsgError ? error.todo : undefined;
  return todo === undefined ? error.message : t`${error.message.replace(/\.$/, "")}; ${todo}`;
};
