/** What an answer says, with its type: the reply that the contract declares, or the error that refused. */
import * as v from "valibot";
import type { Endpoint } from "../../src/contract/endpoint.ts";

/** As much of an answer as is read here. */
export interface Answered {
  readonly status: number;
  /** What its JSON says. */
  readonly body: unknown;
}

/** The same before its JSON is read. */
interface Written {
  readonly status: number;
  readonly text: string;
}

const refused = v.looseObject({ errorCode: v.string(), errorMessage: v.string() });

/**
 * The reply of the endpoint that was asked, as it came: what the contract does not know is not left
 * out. Throws where it refused, or answers something else.
 */
export const replyOf = <const E extends Endpoint>(
  { reply }: E,
  { status, body }: Answered,
): v.InferInput<E["reply"]> => {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  v.assert(reply, body);
  return body;
};

/** Why a request was refused. Throws where it was not. */
export const errorOf = ({ status, body }: Answered): v.InferOutput<typeof refused> => {
  if (status < 400) throw new Error(`${status} ${JSON.stringify(body)}`);
  return v.parse(refused, body);
};

/** The errorCode of a request that may have been refused. */
export const errorCodeOf = (told: Answered): string | undefined =>
  told.status < 400 ? undefined : errorOf(told).errorCode;

/** An answer whose body is still a text. */
export const jsonOf = ({ status, text }: Written): Answered => ({
  status,
  body: JSON.parse(text),
});
