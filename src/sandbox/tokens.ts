/**
 * Access tokens at the edge of the sandbox: verified before a request is handled, signed after it is
 * committed. The library works in promises, and a transaction cannot wait for one.
 */
import type { Answer } from "../contract/wire.ts";
import type { Exchange } from "./answer.ts";
import type { ServiceRequest } from "./service.ts";

/** Public, as the keys of the sandbox are: its tokens are worth nothing elsewhere. */
const secret = new TextEncoder().encode("sandbox-jwt-secret");

/** The request with the claims of its bearer token; undefined claims where the token is not ours. */
export const verifyToken = async (request: ServiceRequest): Promise<ServiceRequest> => {
  const token = /^\s*bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? "")?.[1];
  return token === undefined ? request : { ...request, claims: await claimsOf(token) };
};

/** Times are judged later, by the business time of the sandbox. */
const claimsOf = async (token: string): Promise<unknown> => {
  const { compactVerify } = await import("jose");
  try {
    const { payload } = await compactVerify(token, secret, { algorithms: ["HS256"] });
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return undefined;
  }
};

/** The answer with the token that it issues signed. */
export const signToken = async ({ answer: given, issued }: Exchange): Promise<Answer> => {
  const answer = await given;
  if (issued === undefined) return answer;
  const { SignJWT } = await import("jose");
  const token = await new SignJWT({ ...issued.claims })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .sign(secret);
  const text = Buffer.from(answer.body).toString().replace(issued.placeholder, token);
  return { ...answer, body: Buffer.from(text) };
};
