/** Notes to a person on standard error. */
import type { Out } from "./out.ts";
import { safe } from "./safe.ts";
import type { View } from "./view.ts";

/** Writes one line; `-q` silences it. Errors never go this way. */
export const notice = async (err: Out, view: View, text: string): Promise<void> => {
  if (!view.quiet) await err.write(`${safe(text)}\n`);
};
