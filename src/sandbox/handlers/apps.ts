/** The app store, and OAuth2 for the apps in it. */
import type * as Declared from "../../contract/apps.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import { showConsent, takesJson } from "../pages/consent.ts";
import { blockedApp, profitOf } from "../rules/apps.ts";
import { exchangeCode, grant, readConsentRequest, refresh } from "../rules/grants.ts";
import { type Handler, notFound, Refusal } from "../service.ts";
import type { AppRow } from "../store/apps.ts";
import { dated } from "./records.ts";

export const listProfits: Handler<"listProfits"> = ({ query }, service) => {
  const { store, caller, assume } = service;
  const { offset = 0, limit = defaultRows } = query;
  const span = {
    accountId: caller.accountId,
    appId: query.appId,
    from: Date.parse(query.startDate),
    // A time without a fraction includes all of its last second.
    until: wholeSecond(Date.parse(query.endDate)),
  };
  assume("app-profits");
  const settlements = store.apps.settlements(span, offset, limit);
  return {
    expectedProfit: store.apps.earned(span),
    completed: settlements.map((it) => dated({ ...it, updated: it.created })),
  };
};

const wholeSecond = (ms: number): number => (ms % 1000 === 0 ? ms + 999 : ms);

export const setAppLive: Handler<"setAppLive"> = ({ params }, service) => {
  const { store, caller, now, assume } = service;
  const app = store.apps.read(params.appId);
  assume("app-live");
  if (app?.accountId !== caller.accountId) throw notFound(`You have no app '${params.appId}'.`);
  if (app.reasonBlocked !== null) throw blockedApp(app);
  if (app.stage === "LIVE") return appRecord(app);
  const live = { ...app, stage: "LIVE", updated: now } as const;
  store.apps.update(live);
  return appRecord(live);
};

const appRecord = ({ profit, ...row }: AppRow): Declared.App => ({
  ...dated(row),
  thumbnail: { name: null, url: null, originalName: null },
  profit: profitOf(profit),
  apphomeConfig: { primaryColor: null, secondaryColor: null, sideMenu: true, slogan: true },
  screenshots: [],
  homepage: null,
  categories: [],
  intro: null,
  description: null,
  email: null,
  log: [],
  appDomain: null,
  customDomain: null,
  type: "APP",
});

/** A consent page; a client that accepts JSON and no page gets everything that it requests at once. */
export const authorize: Handler<"authorize"> = ({ query }, service) => {
  const request = readConsentRequest(query, service);
  if (!takesJson(service)) return showConsent(request, service);
  service.assume("oauth-headless");
  const code = grant(request, { scope: request.scope }, service);
  return { code, state: request.state };
};

export const getAccessToken: Handler<"getAccessToken"> = ({ body }, service) =>
  body.grant_type === "refresh_token" ? refresh(body, service) : exchangeCode(body, service);

export const getUserProfile: Handler<"getUserProfile"> = (_input, { store, caller, assume }) => {
  assume("user-profile");
  const member = store.callers.member(caller.memberId);
  if (member === undefined) throw new Refusal(401, "Unauthorized", "The member is gone.");
  const { memberId, accountId, memberStatus: status } = member;
  const number = memberId.slice(-1);
  const email = `operator${number}@example.com`;
  return { memberId, accountId, name: `Operator ${number}`, email, status };
};
