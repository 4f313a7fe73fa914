/** A single send that a check refused: the message's own code is in the text of the answer. */
import type { Endpoint } from "../../contract/endpoint.ts";
import type { Wire } from "../../contract/wire.ts";
import { asRecord, readJson } from "../../json/read-json.ts";
import { explain } from "../../message/explain.ts";
import { explainRefusal } from "../../message/refused.ts";

/** What is wrong with the message, and what to do; undefined for any other refusal. */
export const refusedMessage = (
  { endpoint, wire }: { readonly endpoint: Endpoint; readonly wire: Wire },
  errorCode: string | undefined,
  text: string,
):
  | { readonly code: string; readonly meaning: string; readonly todo: string | undefined }
  | undefined => {
  if (!/^(FailedToAddMessage|InvalidStatusCode)$/i.test(errorCode ?? "")) return undefined;
  const code = /\b1\d{3}\b/.exec(text)?.[0] ?? "";
  if (!explain(code)) return undefined;
  const { from } = asRecord(asRecord(readJson(wire.body ?? new Uint8Array())).message);
  const sender = typeof from === "string" ? from : undefined;
  return { code, ...explainRefusal(code, { from: sender, path: endpoint.path }) };
};
