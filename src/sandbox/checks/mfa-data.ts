/** Where a request carries its second factor: the header, or two members of the body. */
import * as v from "valibot";
import { Refusal } from "../service.ts";
import { type AuthType, authTypes } from "../store/second-factors.ts";

/** A code and the transaction that it belongs to. */
export interface Proof {
  readonly transactionId: string;
  readonly token: string;
}

const data = v.object({
  authType: v.picklist(authTypes),
  transactionId: v.optional(v.string()),
  token: v.optional(v.string()),
});

const carried = v.object({
  transactionId: v.optional(v.string()),
  authenticationCode: v.optional(v.string()),
});

/**
 * What the request asks or proves, undefined where it says nothing of a second factor; the body wins.
 * Throws Refusal 400 for what cannot be read.
 */
export const readMfa = (
  header: string | undefined,
  body: unknown,
): Proof | { readonly authType: AuthType } | undefined => inBody(body) ?? inHeader(header);

const inBody = (body: unknown): Proof | undefined => {
  const { success, output } = v.safeParse(carried, body);
  if (!success) return undefined;
  const { transactionId, authenticationCode: token } = output;
  if (transactionId === undefined && token === undefined) return undefined;
  if (transactionId !== undefined && token !== undefined) return { transactionId, token };
  throw invalid("'transactionId' and 'authenticationCode' belong together.");
};

const inHeader = (header: string | undefined): Proof | { authType: AuthType } | undefined => {
  if (header === undefined) return undefined;
  const { success, output } = v.safeParse(data, parsed(header));
  if (!success) {
    throw invalid(
      "'x-mfa-data' must be JSON with 'authType' ARS or OTP, and with 'transactionId' and 'token' for a code.",
    );
  }
  const { authType, transactionId, token } = output;
  if (transactionId === undefined && token === undefined) return { authType };
  if (transactionId !== undefined && token !== undefined) return { transactionId, token };
  throw invalid("'transactionId' and 'token' of 'x-mfa-data' belong together.");
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const invalid = (text: string): Refusal => new Refusal(400, "ValidationError", text);
