/** What a token may be allowed to do. */

export interface Scope {
  readonly name: string;
  /** Words for the person who is asked to allow it. */
  readonly does: string;
  /** False: only apps of the service itself may ask for it. */
  readonly apps: boolean;
}

const scope = (name: string, does: string, apps = true): Scope => ({ name, does, apps });

/** The catalogue of the specification. */
const catalogue: readonly Scope[] = [
  scope("users:read", "read user information, cash included"),
  scope("users.profile:read", "read the brief profile"),
  scope("senderid:read", "read sender numbers"),
  scope("senderid:write", "register, renew and delete sender numbers", false),
  scope("message:write", "send messages"),
  scope("message:read", "read message status and statistics"),
  scope("cash:read", "read cards, withdrawal accounts and balance", false),
  scope("cash:write", "register cards and accounts, charge", false),
  scope("appstore:read", "read apps", false),
  scope("appstore:write", "register, edit and delete apps", false),
  scope("pricing:read", "read the unit prices of the account"),
  scope("oauth2:read", "read information on clients", false),
  scope("oauth2:write", "change clients, such as their redirect address", false),
  scope("notification:read", "read the history of notifications"),
  scope("notification:write", "block notifications", false),
];

/** Every scope that a client may name. */
export const scopes: readonly Scope[] = [
  ...catalogue,
  scope("kakao:read", "read Kakao channels and templates"),
  scope("kakao:write", "link Kakao channels, change templates"),
  scope("storage:read", "read files"),
  scope("storage:write", "upload and delete files"),
  scope("accounts:read", "read accounts"),
  scope("images:read", "read pictures"),
  scope("images:write", "upload and delete pictures"),
  scope("iam:read", "read how the account is authenticated"),
  scope("iam:write", "authenticate the account"),
  scope("coolog:read", "read the log of activities"),
  scope("quota:read", "read the send quota"),
  scope("quota:write", "ask for a larger send quota"),
  scope("webhook:read", "read webhooks"),
  scope("webhook:write", "change webhooks"),
];

const namesForApps = (of: readonly Scope[]): readonly string[] =>
  of.filter(({ apps }) => apps).map(({ name }) => name);

/** What an app may ask for. */
export const scopesOfApps = namesForApps(scopes);
/** What an app asks for when nothing else is said. */
export const defaultScopes = namesForApps(catalogue);
