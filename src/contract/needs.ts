/** Permission rows: the five requirements of an endpoint, as the service's table has them [spec 5.4]. */

/** A member that is absent is a requirement that the service does not impose. */
export interface Needs {
  /** Scope that a token must hold; API keys are not asked for it. */
  readonly scope?: string;
  /** Permission that the role of the caller must include. */
  readonly role?: string;
  readonly account?: "ACTIVE";
  readonly member?: "ACTIVE";
  readonly authentication?: "required";
  /**
   * `none`: callable without credentials. `optional`: the answer is the caller's own where there are
   * some. `token`: API keys are refused.
   */
  readonly credentials?: "none" | "optional" | "token";
}

/** All that is asked for at an endpoint: its row, and what is enforced where a cell is blank. */
export const needsOf = ({
  needs,
  alsoNeeds,
}: {
  readonly needs: Needs;
  readonly alsoNeeds?: Needs;
}): Needs => ({ ...alsoNeeds, ...needs });

const read = (area: string): Needs => ({ scope: `${area}:read`, role: `role-${area}:read` });
const active = { account: "ACTIVE", member: "ACTIVE" } as const;

/** Writes of messages: the service names it for send-many, and the other writes follow it. */
export const messageWrite: Needs = {
  scope: "message:write",
  role: "role-message:write",
  ...active,
};
/** Reads of messages. */
export const messageRead: Needs = { ...read("message"), ...active };
/** Reads of prices. */
export const pricingRead: Needs = read("pricing");
/** GET balance, balance/alert, balance/history, payment, withdraw. */
export const cashRead: Needs = read("cash");
/** The writes of balance and payment. */
export const cashWrite: Needs = {
  scope: "cash:write",
  role: "role-cash:write",
  ...active,
  authentication: "required",
};
/** Writes of Kakao channels and templates. */
export const kakaoWrite: Needs = {
  scope: "kakao:write",
  role: "role-kakao:write",
  ...active,
  authentication: "required",
};
/** Reads of Kakao channels and templates. */
export const kakaoRead: Needs = read("kakao");
/** Reads of sender numbers. */
export const senderRead: Needs = read("senderid");
/** Reads of blocked recipients. */
export const iamRead: Needs = read("iam");
/** Writes of the storage. */
export const storageWrite: Needs = { scope: "storage:write", ...active };
/** Reads of the storage: keys pass, tokens must hold the scope. */
export const storageRead: Needs = { scope: "storage:read" };
/** Reads of the quota: ACTIVE is the status of the account. */
export const quotaFigureRead: Needs = {
  ...read("quota"),
  account: "ACTIVE",
  authentication: "required",
};
/** GET quota/me/system. */
export const quotaRead: Needs = read("quota");
/** Writes of the quota. */
export const quotaWrite: Needs = {
  scope: "quota:write",
  role: "role-quota:write",
  account: "ACTIVE",
  authentication: "required",
};
/** GET appstore/profits. */
export const appstoreRead: Needs = read("appstore");
/** The stage of an app: only the account's authentication is asked for … */
export const authenticated: Needs = { authentication: "required" };
/** Tokens also need a scope, as for every write of the app store. */
export const appstoreWrite: Needs = { scope: "appstore:write" };
/** Every cell blank: any caller with valid credentials. */
export const blank: Needs = {};
/** No credentials at all. */
export const anyone: Needs = { credentials: "none" };
/** No credentials at all, or valid ones. */
export const anyoneOrCaller: Needs = { credentials: "optional" };
