/** What a call that was refused needs: the rights of its endpoint. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { needsOf } from "../../contract/needs.ts";
import { t } from "../../locale/locale.ts";

/** "this needs the role role-cash:write and an authenticated account". */
const needsText = (endpoint: Endpoint): string => {
  const all = needsOf(endpoint);
  const parts = [
    all.role === undefined ? [] : t`the role permission ${all.role}`,
    all.account ? t`an active account` : [],
    all.member ? t`an active member` : [],
    all.authentication ? t`an authenticated account` : [],
  ].flat();
  return parts.length === 0 ? t`this profile may not do it` : t`this needs ${parts.join(", ")}`;
};

/** The same, and where to see what the profile may do. */
export const rightsTodo = (endpoint: Endpoint): string =>
  t`${needsText(endpoint)}; see what this profile may do: msg auth can`;
