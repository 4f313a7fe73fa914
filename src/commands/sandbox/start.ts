import { once } from "node:events";
import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { wholeNumber } from "../../contract/bounded.ts";
import { choice, flag, text } from "../../contract/fields.ts";
import { loopbackHosts } from "../../contract/wire.ts";
import { exclusive } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formatFigure } from "../../message/price.ts";
import { isJson } from "../../output/fields.ts";
import { type Listening, openSandbox } from "../../sandbox/index.ts";
import { defaultPort } from "./env.ts";

export default tool({
  profile: "sandbox",
  flags: {
    port: wholeNumber("port to listen on; 0: any free port; default: 4610", {
      from: 0,
      until: 65_535,
    }),
    host: choice(loopbackHosts, "address to listen on; default: 127.0.0.1"),
    data: text("database file; default: the file that --sandbox uses"),
    memory: flag("keep all data in memory; it is lost on exit"),
    open: flag("open the pages in a browser"),
    strictOauth: flag("refuse apps that log in without a code challenge (PKCE)"),
  },
  examples: [
    "msg sandbox start",
    "msg sandbox start --open",
    "msg sandbox start --port 0 --memory --json",
    "msg sandbox start --data ./sandbox.db",
  ],
  run: async (ctx, { flags }) => {
    if (flags.memory && flags.data !== undefined) throw exclusive("--memory", "--data");
    const file = flags.memory ? ":memory:" : (flags.data ?? ctx.environment.sandboxFile());
    const sandbox = openSandbox({ file, ...ctx.clock, strictOAuth: flags.strictOauth });
    try {
      const server = await sandbox.listen({ port: flags.port ?? defaultPort, host: flags.host });
      const { baseUrl, authUrl, pages } = server;
      await ctx.io.out.write(
        isJson(ctx.view)
          ? `${JSON.stringify({ baseUrl, authUrl, pages })}\n`
          : `baseUrl\t${baseUrl}\nauthUrl\t${authUrl}\npages\t${pages}\n`,
      );
      await ctx.note(t`pages: ${pages}`);
      // Commands in other terminals use the default file, and would change another sandbox.
      if (file !== ctx.environment.sandboxFile())
        await ctx.note(
          t`this sandbox has its own data; use it with: msg sandbox <command> --base-url ${baseUrl}`,
        );
      await ctx.note(t`stop with Ctrl-C`);
      if (flags.open) await openPages(ctx, pages);
      if (!ctx.signal.aborted) await once(ctx.signal, "abort");
      await server.close();
      await ctx.note(inWords(server.load()));
    } finally {
      sandbox.close();
    }
    return { text: "" };
  },
});

/** The terminal shows the address: if no browser can be started, the sandbox still runs. */
const openPages = (ctx: Context, pages: string): Promise<void> =>
  ctx.io
    .open(pages)
    .catch(() => ctx.note(t`no browser could be started; open the address by hand`));

const inWords = (load: ReturnType<Listening["load"]>): string => {
  if (load.requests === 0) return t`no requests were received`;
  const { requests, refused, failed, busiestSecond, p50Ms, p99Ms } = load;
  return t`requests: ${formatFigure(requests)}, ${formatFigure(refused)} refused, ${formatFigure(failed)} failed; at most ${busiestSecond} a second; median ${p50Ms} ms, 99 % within ${p99Ms} ms`;
};
