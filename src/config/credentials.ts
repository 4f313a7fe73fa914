/** credentials.json: the keys, secrets and tokens of the profiles. Only its owner may read it. */

import * as v from "valibot";
import { type Files, withFileError } from "../durable/files.ts";
import { usageError } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { parseFile } from "./parse-file.ts";

/** What every entry holds: the host that the secret is bound to, and when it was stored. */
const bound = { host: v.string(), dateStored: v.string() };

const KeyEntry = v.strictObject({
  kind: v.literal("key"),
  apiKey: v.string(),
  apiSecret: v.string(),
  ...bound,
});

const TokenEntry = v.strictObject({
  kind: v.literal("token"),
  accessToken: v.string(),
  refreshToken: v.optional(v.string()),
  dateExpires: v.optional(v.string()),
  dateRenewed: v.optional(v.string()),
  scope: v.optional(v.string()),
  clientId: v.optional(v.string()),
  clientSecret: v.optional(v.string()),
  ...bound,
});

const CredentialsFile = v.strictObject({
  version: v.literal(1),
  profiles: v.record(v.string(), v.variant("kind", [KeyEntry, TokenEntry])),
  /** By profile: the private key that approves plans (PKCS #8, base64url). */
  approvalKeys: v.optional(v.record(v.string(), v.string())),
});

export type StoredCredentials = v.InferOutput<typeof CredentialsFile>;
export type StoredCredential = StoredCredentials["profiles"][string];

const emptyCredentials: StoredCredentials = { version: 1, profiles: {} };

/**
 * Reads the file; empty if there is none. Throws MsgError (usage) if it is a link, not this user's,
 * open to others, or broken. `user` is the id of this user, undefined on systems without.
 */
export const readCredentials = (
  files: Files,
  file: string,
  user: number | undefined,
): StoredCredentials => {
  if (!isClosed(files, file, user)) return emptyCredentials;
  const bytes = withFileError(file, "read", () => files.read(file));
  return parseFile(CredentialsFile, new TextDecoder().decode(bytes), file, t`log in again`);
};

/** True if the file exists and only its owner can read it. */
const isClosed = (files: Files, file: string, user: number | undefined): boolean => {
  const found = withFileError(file, "read", () => files.lstat(file));
  if (!found) return false;
  if (found.kind !== "file")
    throw unsafeFileError(
      file,
      found.kind === "link"
        ? t`'${file}' is a link: it holds secrets, so it is not used`
        : t`'${file}' is not a file: it holds secrets, so it is not used`,
      t`move it away: mv '${file}' '${file}.old'`,
    );
  if (user === undefined) return true;
  if (found.owner !== user)
    throw unsafeFileError(
      file,
      t`'${file}' belongs to another user: it holds secrets, so it is not used`,
      t`take it over: sudo chown ${user} '${file}'`,
    );
  if ((found.mode & 0o077) !== 0)
    throw unsafeFileError(
      file,
      t`'${file}' can be read or written by others: it holds secrets, so it is not used`,
      t`close it: chmod 600 '${file}'; then change the secrets in it, others may have read them`,
    );
  return true;
};

const unsafeFileError = (file: string, what: string, todo: string): Error =>
  usageError(what, { code: "UnsafeFile", where: file, todo });
