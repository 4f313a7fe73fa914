/** What each role of a member may do. OWNER may do everything. */

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

/** True where a role includes a permission such as `role-cash:write`. */
export const roleIncludes = (role: Role, permission: string): boolean => {
  if (role === "OWNER") return true;
  const [area = "", access] = permission.replace(/^role-/, "").split(":");
  const allowed = rows[area]?.[role] ?? "nothing";
  return allowed === "read and write" || (allowed === "read" && access === "read");
};
