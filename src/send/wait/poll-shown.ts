/** Waiting that shows how far it is: a line that is rewritten on a terminal, elsewhere a line a change. */
import { type Polled, pollUntil } from "../../client/poll.ts";
import type { Ports } from "../../ports.ts";

/** As `pollUntil`; `describe` says in a few words what is not over yet. */
export const pollShown = async <T>(
  ctx: Ports,
  withinMs: number,
  ask: () => Promise<Polled<T>>,
  describe: (value: T) => string,
): Promise<Polled<T>> => {
  const { err } = ctx.io;
  const last = { text: "" };
  const show = async (text: string): Promise<void> => {
    if (ctx.view.quiet || text === last.text) return;
    last.text = text;
    // A line that is wrapped cannot be rewritten.
    const line = text.slice(0, (err.columns ?? 80) - 1);
    await err.write(err.isTTY ? `\r${line}\x1b[K` : `${text}\n`);
  };
  try {
    return await pollUntil(ctx, withinMs, async () => {
      const polled = await ask();
      if (!polled.done) await show(describe(polled.value));
      return polled;
    });
  } finally {
    // The result says how it ended.
    if (last.text !== "" && err.isTTY) await err.write("\r\x1b[K");
  }
};
