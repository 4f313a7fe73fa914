/** The app store: what apps earned, and setting one live. */

import type * as Declared from "../../contract/apps.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import { blockedApp, profitOf } from "../rules/apps.ts";
import { type Handler, notFound } from "../service.ts";
import type { AppRow } from "../store/apps.ts";
import { datesOf } from "./times.ts";

export const listProfits: Handler<"listProfits"> = ({ query }, service) => {
  const { store, caller, assume } = service;
  const { offset = 0, limit = defaultRows } = query;
  const span = {
    accountId: caller.accountId,
    appId: query.appId,
    from: Date.parse(query.startDate),
    // A wall clock without a fraction means all of its last second.
    until: wholeSecond(Date.parse(query.endDate)),
  };
  assume("app-profits");
  return {
    expectedProfit: store.apps.earned(span),
    completed: store.apps
      .settlements({ ...span, offset, limit })
      .map(({ created, ...settled }) => ({
        ...settled,
        ...datesOf({ created, updated: created }),
      })),
  };
};

const wholeSecond = (ms: number): number => (ms % 1000 === 0 ? ms + 999 : ms);

export const setAppLive: Handler<"setAppLive"> = ({ params }, service) => {
  const { store, caller, now, assume } = service;
  const app = store.apps.read(params.appId);
  assume("app-live");
  if (app?.accountId !== caller.accountId) {
    throw notFound(`You have no app '${params.appId}'.`);
  }
  if (app.reasonBlocked !== null) throw blockedApp(app);
  if (app.stage === "LIVE") return appRecord(app);
  store.apps.setLive(app.appId, now.getTime());
  return appRecord({ ...app, stage: "LIVE", updated: now.getTime() });
};

const appRecord = ({ created, updated, profit, ...row }: AppRow): Declared.App => ({
  ...row,
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
  ...datesOf({ created, updated }),
});
