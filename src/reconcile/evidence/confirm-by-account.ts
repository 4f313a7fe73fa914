/** What an answer that names nothing of its request is checked against: the account itself. */
import type { Client } from "../../client/client.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { MsgError } from "../../errors.ts";
import { type Evidence, findEvidence, movesMoney } from "./payment-evidence.ts";

/**
 * A movement of money is believed when the account shows it: its answer names nothing of the request, and
 * may be the one to an earlier request. Throws MsgError (unknown) where it is not there, or cannot be read.
 */
export const confirmByAccount = async (
  client: Client,
  { method, path, checkWith: todo }: Endpoint,
  evidence: Evidence | undefined,
): Promise<void> => {
  if (!movesMoney(evidence)) return;
  const found = await findEvidence(client, evidence, {}).catch((error: unknown) => {
    if (error instanceof MsgError) return undefined;
    throw error;
  });
  if (found) return;
  throw new MsgError(
    "unknown",
    "the service said yes, and its account does not show the movement",
    {
      code: "NotConfirmed",
      where: `${method} ${path}`,
      outcome: "unknown",
      todo,
    },
  );
};
