/** The token that a profile holds. */
import { requireCredentials } from "../config/resolve.ts";
import { usageError } from "../errors.ts";
import type { Ports } from "../ports.ts";

/** Throws where the profile is not logged in, and where it is by an API key. */
export const readStoredToken = (ctx: Ports) => {
  const {
    settings,
    session: { config },
  } = ctx;
  const profile = settings.profile.value;
  const credentials = requireCredentials(settings);
  if (credentials.kind === "key")
    throw usageError(`profile '${profile}' is logged in by an API key: there is no token`, {
      code: "NoToken",
      todo: `msg auth login --web -p <name> logs in by OAuth2`,
    });
  const entry = config.readCredentials().profiles[profile];
  return settings.credentials.origin === "profile" && entry?.kind === "token"
    ? entry
    : { ...credentials, ...unknown };
};

/** A token of the environment brings nothing along. */
const unknown = {
  refreshToken: undefined,
  scope: undefined,
  dateExpires: undefined,
  dateRenewed: undefined,
};
