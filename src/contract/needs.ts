/**
 * Who may call what: the permission row of an endpoint, as in the service's table [spec 5.4], the scopes
 * that a token can hold, and what each role of a member may do.
 */

import { t } from "../locale/locale.ts";

/** A member that is absent is a requirement that the service does not impose. */
export interface Needs {
  /** Scope that a token must hold; API keys do not need it. */
  readonly scope?: string;
  /** Permission that the role of the caller must include. */
  readonly role?: string;
  readonly account?: "ACTIVE";
  readonly member?: "ACTIVE";
  readonly authentication?: "required";
  /**
   * `none`: callable without credentials. `optional`: with credentials the answer is the caller's
   * own. `token`: API keys are refused.
   */
  readonly credentials?: "none" | "optional" | "token";
}

/** All requirements of an endpoint: its row, and what is enforced if a cell is blank. */
export const needsOf = (it: { readonly needs: Needs; readonly alsoNeeds?: Needs }): Needs => ({
  ...it.alsoNeeds,
  ...it.needs,
});

const read = (area: string): Needs => ({ scope: `${area}:read`, role: `role-${area}:read` });
const write = (area: string): Needs => ({ scope: `${area}:write`, role: `role-${area}:write` });
const active = { account: "ACTIVE", member: "ACTIVE" } as const;
const authenticatedAccount = { account: "ACTIVE", authentication: "required" } as const;
const authenticatedActive = { ...active, ...authenticatedAccount } as const;

/** Writes of messages: the service names it for send-many, and the other writes follow it. */
export const messageWrite: Needs = { ...write("message"), ...active };
export const messageRead: Needs = { ...read("message"), ...active };
export const pricingRead: Needs = read("pricing");
/** GET balance, balance/alert, balance/history, payment, withdraw. */
export const cashRead: Needs = read("cash");
/** The writes of balance and payment. */
export const cashWrite: Needs = { ...write("cash"), ...authenticatedActive };
export const kakaoWrite: Needs = { ...write("kakao"), ...authenticatedActive };
export const kakaoRead: Needs = read("kakao");
export const senderRead: Needs = read("senderid");
/** Reads of blocked recipients. */
export const iamRead: Needs = read("iam");
export const storageWrite: Needs = { scope: "storage:write", ...active };
/** Reads of the storage: keys pass, tokens must hold the scope. */
export const storageRead: Needs = { scope: "storage:read" };
/** Reads of the quota: ACTIVE is the status of the account. */
export const quotaFigureRead: Needs = { ...read("quota"), ...authenticatedAccount };
/** GET quota/me/system. */
export const quotaRead: Needs = read("quota");
export const quotaWrite: Needs = { ...write("quota"), ...authenticatedAccount };
export const appstoreRead: Needs = read("appstore");
/** The row for the stage of an app: only the account's authentication. */
export const authenticated: Needs = { authentication: "required" };
/** What its blank cells require: a token's scope, as for every write of the app store. */
export const appstoreWrite: Needs = { scope: "appstore:write" };
/** Every cell blank: any caller with valid credentials. */
export const blank: Needs = {};
export const anyone: Needs = { credentials: "none" };
export const anyoneOrCaller: Needs = { credentials: "optional" };

/** How the code of a second factor comes. `ARS`: a voice call reads it; `OTP`: by e-mail. */
export const authTypes = ["ARS", "OTP"] as const;
export type AuthType = (typeof authTypes)[number];

/** What a token may be allowed to do. */
export interface Scope {
  readonly name: string;
  /** The description for the person who is asked to allow it. */
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

export const scopesOfApps = namesForApps(scopes);
/** What an app requests by default. */
export const defaultScopes = namesForApps(catalogue);

/** OWNER may do everything. */
export type Role = "OWNER" | "DEVELOPER" | "MEMBER";

type Access = "read and write" | "read" | "nothing";
type Row = Readonly<Record<"DEVELOPER" | "MEMBER", Access>>;

const rows: Readonly<Record<string, Row>> = {
  message: { DEVELOPER: "read and write", MEMBER: "read and write" },
  senderid: { DEVELOPER: "read", MEMBER: "read" },
  cash: { DEVELOPER: "read", MEMBER: "read" },
  pricing: { DEVELOPER: "read", MEMBER: "read" },
  appstore: { DEVELOPER: "read and write", MEMBER: "read" },
  oauth2: { DEVELOPER: "read and write", MEMBER: "nothing" },
  notification: { DEVELOPER: "read", MEMBER: "read" },
  coolog: { DEVELOPER: "read", MEMBER: "nothing" },
  iam: { DEVELOPER: "read", MEMBER: "nothing" },
  credentials: { DEVELOPER: "read and write", MEMBER: "nothing" },
  images: { DEVELOPER: "read and write", MEMBER: "read and write" },
  kakao: { DEVELOPER: "read and write", MEMBER: "read" },
  quota: { DEVELOPER: "read", MEMBER: "read" },
  webhook: { DEVELOPER: "read and write", MEMBER: "nothing" },
  accounts: { DEVELOPER: "read", MEMBER: "nothing" },
};

/** True if a role includes a permission such as `role-cash:write`. */
export const roleIncludes = (role: Role, permission: string): boolean => {
  if (role === "OWNER") return true;
  const [area = "", access] = permission.replace(/^role-/, "").split(":");
  const allowed = rows[area]?.[role] ?? "nothing";
  return allowed === "read and write" || (allowed === "read" && access === "read");
};

/** What is known; a member that is absent is not. */
export interface CallerFacts {
  /** Scopes of the token; `key` for an API key, which needs none. Some tokens say nothing about themselves. */
  readonly scopes?: readonly string[] | "key" | undefined;
  readonly role?: Role | undefined;
  readonly account?: string | undefined;
  readonly member?: string | undefined;
  readonly authenticated?: boolean | undefined;
}

/** The errorCode that the service answers with, and why. */
interface MissingPermission {
  readonly code: string;
  readonly why: string;
}

/** One cell of the row: what the caller lacks, undefined if it is met, `?` if that cannot be known here. */
type Check = (needs: Needs, facts: CallerFacts) => MissingPermission | "?" | undefined;

/** In the order of the columns. Scopes bind tokens only; a DELETED account or member is refused everywhere. */
const checks: readonly Check[] = [
  ({ credentials }, { scopes }) =>
    credentials === "token" && scopes === "key"
      ? { code: "Unauthorized", why: t`the call takes a token, not an API key` }
      : undefined,
  ({ scope }, { scopes }) => {
    if (scopes === undefined) return scope === undefined ? undefined : "?";
    return scopes === "key" || scope === undefined || scopes.includes(scope) || scopes.includes("*")
      ? undefined
      : { code: "Unauthorized", why: t`the token lacks the scope ${scope}` };
  },
  ({ account }, { account: found }) => {
    if (found === undefined) return account && "?";
    const isFit = found !== "DELETED" && (account === undefined || found === account);
    const code = found === "DELETED" ? "DeletedAccount" : "InactiveAccount";
    return isFit ? undefined : { code, why: t`the account is ${found}` };
  },
  ({ member }, { member: found }) => {
    if (found === undefined) return member && "?";
    const isFit = found !== "DELETED" && (member === undefined || found === member);
    const code = memberCodes[found] ?? "InactiveMember";
    return isFit ? undefined : { code, why: t`the member is ${found}` };
  },
  ({ role }, { role: found }) => {
    if (role === undefined) return undefined;
    if (found === undefined) return "?";
    const why = t`the role ${found} does not include ${role}`;
    return roleIncludes(found, role) ? undefined : { code: "Forbidden", why };
  },
  ({ authentication }, { authenticated }) => {
    if (authentication === undefined || authenticated === true) return undefined;
    const why = t`the account is not authenticated`;
    return authenticated === undefined ? "?" : { code: "AccountNotAuthenticated", why };
  },
];

const memberCodes: Readonly<Record<string, string>> = {
  DELETED: "DeletedMember",
  UNVERIFIED: "UnverifiedMember",
};

/** What the caller is known to lack: the first cell that fails; `?` if that cannot be known here. */
export const findMissingPermission = (
  endpoint: Parameters<typeof needsOf>[0],
  facts: CallerFacts,
): MissingPermission | "?" | undefined => {
  const row = needsOf(endpoint);
  if (row.credentials === "none") return undefined;
  const found = checks.map((check) => check(row, facts));
  return found.find((it) => it !== undefined && it !== "?") ?? found.find((it) => it === "?");
};
