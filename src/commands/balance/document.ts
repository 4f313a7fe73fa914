/** Papers: the service answers a record or a document; both may go into a file. */
import type { Context } from "../../context.ts";
import { fileError, systemCode } from "../../durable/failure.ts";
import { diskFiles } from "../../durable/files.ts";
import { writeNew } from "../../durable/whole.ts";
import { usage } from "../../errors.ts";
import type { Result } from "../command.ts";

/** A record is printed; what is a document, or is wanted in a file, is written there. */
export const document = async (
  ctx: Context,
  reply: object,
  out: string | undefined,
): Promise<Result> => {
  const bytes = reply instanceof Uint8Array ? reply : undefined;
  if (out === undefined) {
    if (!bytes) return { record: reply };
    if (ctx.out.isTTY)
      throw usage("the service answered a document", {
        outcome: "done",
        todo: "name a file for it: --out <file>",
      });
    await ctx.out.writeBytes(bytes);
    return { text: "" };
  }
  const content = bytes ?? Buffer.from(`${JSON.stringify(reply, null, 2)}\n`);
  try {
    writeNew(diskFiles, out, content, 0o600);
  } catch (error) {
    if (systemCode(error) === "EEXIST")
      throw usage(`'${out}' is there already`, { todo: "name another file with --out" });
    throw fileError(error, `write '${out}'`, out);
  }
  await ctx.note(`written to ${out}`);
  return bytes ? { text: "" } : { record: reply };
};
