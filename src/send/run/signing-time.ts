/** Whether requests are signed with a date that does not lie ahead of the service's clock. */
import type { Client, Signature } from "../../client/client.ts";
import { isTooOldFor, outlying } from "../../client/service-clock.ts";
import { getBalance } from "../../contract/cash.ts";
import { MsgError } from "../../errors.ts";

/**
 * The service forgets a signature 15 minutes behind its arrival: one whose date lies ahead of its clock would
 * outlive that, and a late copy of what nothing else protects be executed. Where this machine's date lies
 * ahead, or is too old, a read is refused, and the client signs by the service's clock from then on. Throws
 * MsgError where no answer came, and where the date still lies ahead.
 */
export const confirmSigningTime = async (client: Client, newSalt: () => string): Promise<void> => {
  const { clock } = client;
  const late = (): Signature => ({ date: outlying(clock.signingDate()), salt: newSalt() });
  const first = await readBy(client, late());
  // What is signed with now may be another date that is wrong.
  const error = first && isSkewed(first) ? await readBy(client, late()) : first;
  if (error && (isSkewed(error) || error.http?.status === undefined)) throw error;
  if (isTooOldFor(clock.signingDate(), clock.now())) await readBy(client);
};

/** The error of a read, which shows the time as well where it is an answer. */
const readBy = async (client: Client, signature?: Signature): Promise<MsgError | undefined> => {
  try {
    await client.call(getBalance, {}, { signature });
    return undefined;
  } catch (error) {
    if (error instanceof MsgError) return error;
    throw error;
  }
};

const isSkewed = ({ code }: MsgError): boolean => code.toLowerCase() === "requesttimetooskewed";
