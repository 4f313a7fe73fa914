/** Permission rows: the five requirements of an endpoint (specification 5.4). */

/** A member that is absent is a blank cell: that requirement is not imposed (facts/auth-cash 4.2). */
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

/** [spec] for send-many, [docs22] for the other writes (facts/messages 0.3, M-W). */
export const messageWrite: Needs = {
  scope: "message:write",
  role: "role-message:write",
  ...active,
};
/** facts/messages 0.3, M-R. */
export const messageRead: Needs = { ...read("message"), ...active };
/** facts/messages 0.3, P-R. */
export const pricingRead: Needs = read("pricing");
/** [spec] 5.4: GET balance, balance/alert, balance/history, payment, withdraw. */
export const cashRead: Needs = read("cash");
/** [spec] 5.4: the writes of balance and payment. */
export const cashWrite: Needs = {
  scope: "cash:write",
  role: "role-cash:write",
  ...active,
  authentication: "required",
};
/** [spec] 5.4 for four of them, [docs22] for every other write of Kakao (facts/kakao-storage 0.3, K-W). */
export const kakaoWrite: Needs = {
  scope: "kakao:write",
  role: "role-kakao:write",
  ...active,
  authentication: "required",
};
/** facts/kakao-storage 0.3, K-R. */
export const kakaoRead: Needs = read("kakao");
/** facts/kakao-storage 0.3, S-W. */
export const storageWrite: Needs = { scope: "storage:write", ...active };
/** The row of the storage reads is blank: keys pass, tokens must hold the scope (facts/kakao-storage 10). */
export const storageRead: Needs = { scope: "storage:read" };
/** facts/kakao-storage 0.3, Q-R1: the ACTIVE of the specification is the account's status. */
export const quotaFigureRead: Needs = {
  ...read("quota"),
  account: "ACTIVE",
  authentication: "required",
};
/** [spec] 5.4, GET quota/me/system. */
export const quotaRead: Needs = read("quota");
/** facts/kakao-storage 0.3, Q-W. */
export const quotaWrite: Needs = {
  scope: "quota:write",
  role: "role-quota:write",
  account: "ACTIVE",
  authentication: "required",
};
/** [spec] 5.4, GET appstore/profits. */
export const appstoreRead: Needs = read("appstore");
/** [spec] 5.4, the stage of an app: only the account's authentication is asked for … */
export const authenticated: Needs = { authentication: "required" };
/** … and of tokens a scope, as of every write of the app store (facts/kakao-storage 10). */
export const appstoreWrite: Needs = { scope: "appstore:write" };
/** Every cell blank: any caller with valid credentials. */
export const blank: Needs = {};
/** No credentials at all. */
export const anyone: Needs = { credentials: "none" };
/** No credentials at all, or valid ones (facts/messages 7.2). */
export const anyoneOrCaller: Needs = { credentials: "optional" };
