/** Keys of callers, and their signatures, which share no code with the client: what both get wrong would not show. */
import { createHmac, randomBytes } from "node:crypto";

export interface Signing {
  readonly apiKey?: string;
  readonly secret?: string;
  readonly date?: string;
  readonly salt?: string;
  readonly algorithm?: "SHA256" | "MD5";
}

/** The secret of `SANDBOXKEY00000n`. */
export const secretOf = (n: number): string =>
  `SANDBOXSECRET${String(n === 1 ? 0 : n).padStart(19, "0")}`;

/** `SANDBOXKEY00000n` as variables of the environment. */
export const keyEnv = (n = 1) => ({
  MSG_API_KEY: `SANDBOXKEY00000${n}`,
  MSG_API_SECRET: secretOf(n),
});

/** What points `msg` at a sandbox that is served at this address. */
export const envOf = (baseUrl: string) => ({ MSG_BASE_URL: baseUrl, ...keyEnv() });

/** An Authorization header. */
export const authorization = (signing: Signing = {}): string => {
  const { apiKey = "SANDBOXKEY000001", secret = secretOf(1), algorithm = "SHA256" } = signing;
  const { date = new Date().toISOString(), salt = randomBytes(16).toString("hex") } = signing;
  const signature = createHmac(algorithm, secret)
    .update(date + salt)
    .digest("hex");
  return `HMAC-${algorithm} apiKey=${apiKey}, date=${date}, salt=${salt}, signature=${signature}`;
};
