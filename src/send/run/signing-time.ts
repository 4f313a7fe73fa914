/** Whether requests are signed with a date that does not lie ahead of the service's clock. */
import type { Client } from "../../client/client.ts";
import { outlying } from "../../client/service-clock.ts";
import { getBalance } from "../../contract/cash.ts";
import { MsgError } from "../../errors.ts";

/**
 * The service forgets a signature 15 minutes behind its arrival: one whose date lies ahead of its clock would
 * outlive that, and a late copy of what nothing else protects be executed. Where this machine's date lies
 * ahead, this read is refused, and the client signs by the service's clock from then on. Throws MsgError where
 * no answer came, and where the date still lies ahead.
 */
export const confirmSigningTime = async (client: Client, newSalt: () => string): Promise<void> => {
  const error = await readBy(client, newSalt());
  if (!error) return;
  // What is signed with now may be another date that is wrong.
  const again = isSkewed(error) ? await readBy(client, newSalt()) : error;
  if (again && (isSkewed(again) || again.http?.status === undefined)) throw again;
};

const readBy = async (client: Client, salt: string): Promise<MsgError | undefined> => {
  const signature = { date: outlying(client.clock.signingDate()), salt };
  try {
    await client.call(getBalance, {}, { signature });
    return undefined;
  } catch (error) {
    if (error instanceof MsgError) return error;
    throw error;
  }
};

const isSkewed = ({ code }: MsgError): boolean => code.toLowerCase() === "requesttimetooskewed";
