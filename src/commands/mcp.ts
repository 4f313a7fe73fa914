import { Readable, Writable } from "node:stream";
import * as v from "valibot";
import { tool } from "../cli/command.ts";
import { wholeNumber } from "../contract/bounded.ts";
import { flag, money } from "../contract/fields.ts";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { createAssistant } from "../mcp/assistant.ts";
import { ceilingsOf } from "../mcp/sending.ts";

export default tool({
  flags: {
    allowSend: flag(
      "let the assistant send, each time with a plan and its token; needs --max-cost and --max-recipients",
    ),
    maxCost: v.optional(money("total that the assistant may spend while this runs")),
    maxRecipients: v.optional(
      wholeNumber("messages that the assistant may send while this runs", { from: 1 }),
    ),
    showNumbers: flag("show recipient numbers in full; default: masked"),
  },
  fields: [],
  examples: [
    "msg mcp --sandbox",
    "msg mcp -p shop",
    "msg mcp -p shop --allow-send --max-cost 5000 --max-recipients 50",
  ],
  run: async (ctx, { flags }, commands) => {
    const ceilings = ceilingsOf(flags);
    if (ctx.io.stdinIsTTY)
      throw usageError(
        t`msg mcp talks to a program over standard input and output, not to a terminal`,
        { todo: t`add it to the settings of an assistant: command msg, arguments mcp` },
      );
    const assistant = await createAssistant({
      commands,
      runLine: ctx.runLine,
      ceilings,
      showNumbers: flags.showNumbers ?? false,
      random: ctx.environment.random,
      ticks: ctx.clock.ticks,
    });
    // Loaded only here: the protocol's library is as large as the rest of msg.
    const { serveProtocol } = await import("../mcp/protocol.ts");
    const output = new Writable({
      decodeStrings: false,
      write: (text: unknown, _encoding, done) => {
        ctx.io.out.write(String(text)).then(() => done(), done);
      },
    });
    const input = Readable.from(ctx.io.read("-"));
    if (await serveProtocol(assistant, input, output, ctx.signal))
      throw usageError(t`the assistant sent a message of more than 10 MiB`);
    return { text: "" };
  },
});
