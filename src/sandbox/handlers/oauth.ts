/** OAuth2. */
import { showConsent } from "../pages/consent.ts";
import { exchangeCode, grant, readConsentRequest, refresh } from "../rules/grants.ts";
import { type Handler, Refusal } from "../service.ts";

/** The member of a session that chose none. */
const owner = "MEMSANDBOX0001";

/** A page to consent on; a client that takes JSON and no page gets all that it asks for at once. */
export const authorize: Handler<"authorize"> = ({ query }, service) => {
  const asked = readConsentRequest(query, service);
  const accept = service.headers.accept ?? "";
  if (!accept.includes("application/json") || accept.includes("text/html"))
    return showConsent(asked, service);
  service.assume("oauth-headless");
  const code = grant(asked, { scope: asked.scope, memberId: owner }, service);
  return { code, state: asked.state };
};

export const getAccessToken: Handler<"getAccessToken"> = ({ body }, service) =>
  body.grant_type === "refresh_token" ? refresh(body, service) : exchangeCode(body, service);

export const getUserProfile: Handler<"getUserProfile"> = (_input, { store, caller, assume }) => {
  assume("user-profile");
  const member = store.callers.member(caller.memberId);
  if (member === undefined) throw new Refusal(401, "Unauthorized", "The member is gone.");
  const { memberId, accountId, status } = member;
  const number = memberId.slice(-1);
  const email = `operator${number}@example.com`;
  return { memberId, accountId, name: `Operator ${number}`, email, status };
};
