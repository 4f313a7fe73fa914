/** The Ed25519 keys that plans are approved with: one a profile, made at first use, kept with the other secrets. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from "node:crypto";
import type { StoredCredentials } from "../../config/credentials.ts";
import { MsgError, truncate, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";

export interface SigningKey {
  /** As approvers are listed: `ed25519:…`. */
  readonly key: string;
  readonly secret: KeyObject;
}

/** The key of the profile; the first time it is made and stored. */
export const ownKey = async ({ session, settings }: Ports): Promise<SigningKey> => {
  const { config } = session;
  const profile = settings.profile.value;
  if (keyOf(config.readCredentials(), profile) === undefined)
    await config.updateCredentials((now) =>
      // Another process may have made it meanwhile.
      keyOf(now, profile) === undefined ? withKey(now, profile, newKey()) : now,
    );
  const stored = keyOf(config.readCredentials(), profile);
  if (stored === undefined) throw new MsgError("fault", t`the key of the profile was not stored`);
  session.redact(stored);
  return read(stored);
};

/** The public keys of all profiles of this user: whoever has one of them is the same person. */
export const ownPublicKeys = ({ session }: Pick<Ports, "session">): readonly string[] =>
  Object.values(session.config.readCredentials().approvalKeys ?? {}).map((it) => read(it).key);

/** Under the new name of the profile, or nowhere where it goes. */
export const moveKey = async (
  { session, consent }: Ports,
  from: string,
  to: string | undefined,
): Promise<void> => {
  const { config } = session;
  if (consent.dryRun || keyOf(config.readCredentials(), from) === undefined) return;
  await config.updateCredentials((now) => {
    const key = keyOf(now, from);
    const { [from]: _, ...rest } = now.approvalKeys ?? {};
    return { ...now, approvalKeys: { ...rest, ...(to && key && { [to]: key }) } };
  });
};

const keyOf = ({ approvalKeys = {} }: StoredCredentials, profile: string): string | undefined =>
  Object.hasOwn(approvalKeys, profile) ? approvalKeys[profile] : undefined;

const withKey = (now: StoredCredentials, profile: string, key: string): StoredCredentials => ({
  ...now,
  approvalKeys: { ...now.approvalKeys, [profile]: key },
});

const newKey = (): string =>
  generateKeyPairSync("ed25519")
    .privateKey.export({ type: "pkcs8", format: "der" })
    .toString("base64url");

const read = (stored: string): SigningKey => {
  const secret = createPrivateKey({
    key: Buffer.from(stored, "base64url"),
    type: "pkcs8",
    format: "der",
  });
  const { x = "" }: JsonWebKey = createPublicKey(secret).export({ format: "jwk" });
  return { key: `ed25519:${x}`, secret };
};

const form = /^ed25519:[\w-]{43}$/;

/** Whether a text has the form of a public key. */
export const isPublicKey = (text: string): boolean => form.test(text);

/** A key as a person hands it on. Throws MsgError (usage) for a text that is none. */
export const readPublicKey = (typed: string): string => {
  if (isPublicKey(typed)) return typed;
  throw usageError(t`'${truncate(typed, 60)}' is not a public key`, {
    code: "InvalidValue",
    todo: t`use what msg profile key prints for the other person: ed25519: and 43 characters`,
  });
};

/** A public key of that form as Node takes it. */
export const asPublicKey = (key: string): KeyObject =>
  createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: key.replace(/^ed25519:/, "") },
    format: "jwk",
  });
