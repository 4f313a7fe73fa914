/** What may never stand in a plan: it is handed to others, and kept. */

import { usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import { formsOf } from "../../output/text/redact.ts";
import type { Ports } from "../../ports.ts";

/** `reject` throws MsgError (usage) for bytes that hold a secret of this user, in whatever form. */
export const createSecretFinder = (ctx: Ports) => {
  const forms = secretsOf(ctx)
    .flatMap(formsOf)
    .map((it) => Buffer.from(it));
  return {
    reject: (bytes: Uint8Array): void => {
      const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      if (!forms.some((form) => line.includes(form))) return;
      throw usageError(
        t`the plan would contain a secret: a key or token of this user is in its rows`,
        {
          code: "SecretInPlan",
          todo: t`nothing was sent or written; check the texts, variables and custom fields of the rows`,
        },
      );
    },
  };
};

/** Those of every profile that is stored, and of this command: rows of any of them may be pasted anywhere. */
const secretsOf = ({ session, settings }: Ports): readonly string[] => {
  const { profiles, approvalKeys = {} } = session.config.readCredentials();
  const stored = Object.values(profiles);
  const callers = [settings.credentials.value ?? [], stored]
    .flat()
    .flatMap((it) =>
      it.kind === "key"
        ? [it.apiSecret]
        : [
            it.accessToken,
            ...("refreshToken" in it && it.refreshToken ? [it.refreshToken] : []),
            ...("clientSecret" in it && it.clientSecret ? [it.clientSecret] : []),
          ],
    );
  return [...callers, ...Object.values(approvalKeys)];
};
