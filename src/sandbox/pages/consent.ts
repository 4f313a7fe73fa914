/** The consent page: the client, the account, a box for each scope, and the answer to it. */
import { scopes } from "../../contract/needs.ts";
import { sameSecret } from "../../contract/wire.ts";
import { currentLanguage, translated } from "../../locale/locale.ts";
import { type Html, html, htmlDocument } from "../../markup/html.ts";
import type { ControlHandler } from "../controls/admin-context.ts";
import { type ConsentRequest, grant, randomToken } from "../rules/grants.ts";
import { keeping, Refusal, type Service } from "../service.ts";
import { option } from "./elements.ts";
import { cookieOf, languageOf, translator, withLanguage } from "./language.ts";
import { pagesPath, securityHeaders } from "./page.ts";

/** How long a page stays valid. */
const consentMs = 1_800_000;
/** The name of the cookie that ties a page to the browser that it was shown to. */
const sessionCookie = "sandbox-session";

/** Answers with the page and stores the question: its token is valid for one answer. */
export const showConsent = (request: ConsentRequest, service: Service): Promise<Uint8Array> => {
  const { store, now, headers, respondWith } = service;
  const token = randomToken();
  const session = randomToken();
  store.oauth.addConsent(
    { token, session, request: JSON.stringify(request), created: now },
    now - consentMs,
  );
  respondWith({
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "set-cookie": `${sessionCookie}=${session}; HttpOnly; SameSite=Strict; Path=/oauth2/v1/authorize`,
      // Its form may only lead to the redirect address.
      ...securityHeaders(`form-action 'self' ${new URL(request.redirectUri).origin}`),
    },
  });
  const members = memberOptions(store);
  const language = languageOf(new URLSearchParams(), headers);
  return withLanguage(language, () => Buffer.from(page(request, token, members).text));
};

const page = (request: ConsentRequest, token: string, members: readonly Html[]): Html => {
  const translate = translator(currentLanguage());
  const question = translate(["Allow # to act for you?", request.clientId]);
  const does = (name: string): string =>
    translated(scopes.find((it) => it.name === name)?.does ?? name);
  const body = html`<main class="panel consent">
<h1>${question}</h1>
<form method="post" action="/oauth2/v1/authorize/decision">
<input type="hidden" name="token" value="${token}">
<p><label>${translate("Account and member")}
<select name="memberId">${members}</select></label></p>
<fieldset>
<legend>${translate("It may")}</legend>
${request.scope.split(" ").map(
  (name) =>
    html`<label><input type="checkbox" name="scope" value="${name}" checked> ${does(name)} <code>${name}</code></label>
`,
)}</fieldset>
<p>${translate("Then you go to:")} <code>${new URL(request.redirectUri).host}</code></p>
<button name="decision" value="allow">${translate("Allow")}</button>
<button class="second" name="decision" value="deny">${translate("Deny")}</button>
</form>
<p class="after quiet">${translate("Sandbox: nothing is really sent or charged.")}</p>
</main>`;
  const head = html`<link rel="stylesheet" href="${pagesPath}style.css">`;
  return htmlDocument(`${question} – ${translate("msg sandbox")}`, head, body);
};

const memberOptions = (store: Service["store"]): Html[] =>
  store.callers
    .members()
    .map(({ memberId, role, accountId, memberStatus }) =>
      option(memberId, [role, memberId, accountId, memberStatus].join(" · "), undefined),
    );

/** Sends the browser back with a code, or with the user's refusal. */
export const decideConsent: ControlHandler<"decideConsent"> = ({ body }, service) => {
  const request = takeConsent(body.token, service);
  if (body.decision === "deny") return back(request, { error: "access_denied" }, service);
  const code = grant(request, { scope: body.scope ?? "", memberId: body.memberId }, service);
  return takesJson(service) ? { code, state: request.state } : back(request, { code }, service);
};

/** True for a client that accepts JSON and no page. */
export const takesJson = ({ headers: { accept = "" } }: Service): boolean =>
  accept.includes("application/json") && !accept.includes("text/html");

/** The token's question; only the browser that saw it may answer, once. */
const takeConsent = (token: string, { store, headers, now }: Service): ConsentRequest => {
  const consent = store.oauth.takeConsent(token);
  const isOpen = consent !== undefined && now - consent.created < consentMs;
  if (isOpen && sameSecret(consent.session, cookieOf(sessionCookie, headers.cookie)))
    return JSON.parse(consent.request);
  const text = "This page was answered before, is too old, or is not yours.";
  throw keeping(new Refusal(403, "Forbidden", text));
};

const back = (
  { redirectUri, state }: ConsentRequest,
  values: Readonly<Record<string, string>>,
  { respondWith }: Service,
): Uint8Array<ArrayBuffer> => {
  const query = new URLSearchParams({ ...values, state });
  // As it came it may hold characters that no header can: Hangul, or a line end.
  const { href } = new URL(redirectUri);
  const location = `${href}${href.includes("?") ? "&" : "?"}${query}`;
  respondWith({
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
  return new Uint8Array();
};
