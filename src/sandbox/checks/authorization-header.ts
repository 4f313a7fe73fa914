/** Takes the Authorization header apart, in every form that official clients send. */

import { assumed } from "../assumptions/assumption.ts";
import { Refusal } from "../service.ts";

/** What a signed request says of itself. `signature` is lower case, so that a replay cannot hide. */
export interface SignedHeader {
  readonly algorithm: "sha256" | "md5";
  readonly apiKey: string;
  readonly date: string;
  readonly salt: string;
  readonly signature: string;
}

const algorithms: ReadonlyMap<string, SignedHeader["algorithm"]> = new Map([
  ["hmac-sha256", "sha256"],
  ["hmac-md5", "md5"],
]);

/**
 * Reads `HMAC-SHA256 apiKey=…, date=…`: scheme and names in any case, parameters in any order, values
 * unquoted and split at the first `=`. Throws Refusal 401 for anything else.
 */
export const parseAuthorization = (header: string | undefined): SignedHeader => {
  if (header === undefined) throw unauthorized("The Authorization header is missing.");
  const [, scheme = "", rest = ""] = /^\s*(\S+)\s*(.*)$/s.exec(header) ?? [];
  if (scheme.toLowerCase() === "bearer")
    throw unauthorized("The Authorization header needs an access token after 'bearer'.");
  const algorithm = algorithms.get(scheme.toLowerCase());
  if (algorithm === undefined) {
    throw unauthorized("The Authorization header must begin with HMAC-SHA256 or bearer.");
  }
  const given = parameters(rest);
  const [apiKey, date, salt, signature] = ["apikey", "date", "salt", "signature"].map((name) =>
    given.get(name),
  );
  if (!apiKey || !date || !salt || !signature) {
    throw unauthorized("The Authorization header needs apiKey, date, salt and signature.");
  }
  return { algorithm, apiKey, date, salt, signature: signature.toLowerCase() };
};

const parameters = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(",").map((part) => {
      const at = part.indexOf("=");
      const name = at < 0 ? part : part.slice(0, at);
      return [name.trim().toLowerCase(), at < 0 ? "" : part.slice(at + 1).trim()] as const;
    }),
  );

const unauthorized = (message: string): Refusal =>
  new Refusal(401, "Unauthorized", message, assumed("no-credentials"));
