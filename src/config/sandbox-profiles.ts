/** The built-in profiles: the callers of the sandbox in this process, and their keys. */

import type { KeyPair } from "../contract/wire.ts";

/** In the order of the numbers of their keys. */
export const sandboxProfiles: readonly string[] = [
  "sandbox",
  "sandbox:developer",
  "sandbox:member",
  "sandbox:unverified",
  "sandbox:inactive",
  "sandbox:deleted",
  "sandbox:disabled-key",
  "sandbox:member-unverified",
  "sandbox:member-inactive",
];

/** The OAuth2 client for the login to a sandbox on this machine when no other is named. */
export const sandboxApp = {
  clientId: "CID0SANDBOX00001",
  clientSecret: `SANDBOXCLIENTSECRET${"1".padStart(13, "0")}`,
};

export const isSandbox = (profile: string): boolean => sandboxProfiles.includes(profile);

/** True for every name that only a caller of the sandbox may have. */
export const isSandboxName = (profile: string): boolean =>
  profile === "sandbox" || profile.startsWith("sandbox:");

/** The key of a caller: public and worthless. For any other profile the owner's key. */
export const sandboxKey = (profile: string): KeyPair => {
  const n = Math.max(1, sandboxProfiles.indexOf(profile) + 1);
  return {
    kind: "key",
    apiKey: `SANDBOXKEY00000${n}`,
    apiSecret: `SANDBOXSECRET${String(n === 1 ? 0 : n).padStart(19, "0")}`,
  };
};
