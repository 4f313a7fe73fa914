/** Whether requests are signed with a date that does not lie ahead of the service's clock. */
import type { Client, Signature } from "../../client/client.ts";
import { newSalt } from "../../client/layers/authorization.ts";
import { maxWaitMs } from "../../client/layers/retry.ts";
import { isTooOldFor, outlying } from "../../client/service-clock.ts";
import { getBalance } from "../../contract/cash.ts";
import { asMsgError, type MsgError } from "../../errors.ts";
import type { Ports } from "../../ports.ts";

/** Between two reads, if the first proved nothing: something else may have answered, or the service is busy. */
const pausesMs = [500, 1_000, 2_000, 4_000];

/**
 * The service forgets a signature 15 minutes after its arrival, and accepts a request that it refused for a date
 * ahead once that time has come: a late copy of what nothing else protects would be executed. If this machine's
 * date lies ahead, or is too old, a read is refused, and the client signs by the service's clock from then on.
 * Throws MsgError if nothing proves that the date does not lie ahead.
 */
export const confirmSigningTime = async (ctx: Ports, { clock, call }: Client): Promise<void> => {
  const read = (signature?: Signature): Promise<MsgError | undefined> =>
    call(getBalance, {}, { signature }).then(() => undefined, asMsgError);
  const late = () =>
    read({ date: outlying(clock.signingDate()), salt: newSalt(ctx.environment.random) });
  let error = await late();
  for (const pauseMs of pausesMs) {
    if (!error || isProof(error)) break;
    if (isFinal(error)) throw error;
    // After a refusal another date is signed. If the operator stops, the client says so.
    const waitMs = isSkewed(error) ? 0 : Math.max(pauseMs, error.waitMs ?? 0);
    if (waitMs > 0) await ctx.clock.wait(waitMs, ctx.signal).catch(() => undefined);
    error = await late();
  }
  if (error && !isProof(error)) throw error;
  if (isTooOldFor(clock.signingDate(), clock.now())) await read();
};

/** The service, not a gateway, forbids reading the balance: it knew the caller, so it accepted the date. */
const isProof = ({ kind, code }: MsgError): boolean =>
  kind === "forbidden" && !code.startsWith("HTTP_");

/**
 * No answer came, as often as a read is tried; the operator stopped; the service asks for a longer pause than msg
 * makes; or the credentials are wrong.
 */
const isFinal = (error: MsgError): boolean =>
  error.http?.status === undefined ||
  (error.waitMs ?? 0) > maxWaitMs ||
  (error.kind === "unauthenticated" && !isSkewed(error) && !isDuplicated(error));

const isSkewed = ({ code }: MsgError): boolean => /^requesttimetooskewed$/i.test(code);

/** A copy of the request was refused: the answer to the first one was lost. */
const isDuplicated = ({ code }: MsgError): boolean => /^duplicatedsignature$/i.test(code);
