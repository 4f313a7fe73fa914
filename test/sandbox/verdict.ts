/** What the check of permissions says to a caller who may do everything but for what a test changes. */
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { authorize, type VerifiedCaller } from "../../src/sandbox/checks/authorize.ts";
import { Refusal } from "../../src/sandbox/service.ts";

const owner: VerifiedCaller = {
  accountId: "26010500000001",
  memberId: "MEM1",
  role: "OWNER",
  apiKey: "SANDBOXKEY000001",
  scopes: undefined,
  address: "127.0.0.1",
  accountStatus: "ACTIVE",
  memberStatus: "ACTIVE",
  authenticated: 1,
};

/** `ok`, or status and code of the refusal. */
export const verdict = (endpoint: Endpoint, caller: Partial<VerifiedCaller>): string => {
  try {
    authorize(endpoint, { ...owner, ...caller });
    return "ok";
  } catch (error) {
    return error instanceof Refusal ? `${error.status} ${error.errorCode}` : String(error);
  }
};

/** The same for a token of these scopes. */
export const tokenVerdict = (endpoint: Endpoint, scopes: readonly string[]): string =>
  verdict(endpoint, { apiKey: undefined, scopes });
