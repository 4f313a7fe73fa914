/** The app store: apps of an account and what they earn. */
import * as v from "valibot";
import { endpoint, get } from "./endpoint.ts";
import { byOffset, dated, id, required, text } from "./fields.ts";
import { appstoreRead, appstoreWrite, authenticated } from "./needs.ts";

/** Message types that an app may earn with. */
export const profitKeys = ["sms", "lms", "mms", "ata", "cta", "cti"] as const;

const profit = v.object({
  sms: v.number(),
  lms: v.number(),
  mms: v.number(),
  ata: v.number(),
  cta: v.number(),
  cti: v.number(),
});
export type Profit = v.InferOutput<typeof profit>;

/** An app. */
const app = v.object({
  thumbnail: v.object({
    name: v.nullable(v.string()),
    url: v.nullable(v.string()),
    originalName: v.nullable(v.string()),
  }),
  profit,
  apphomeConfig: v.object({
    primaryColor: v.nullable(v.string()),
    secondaryColor: v.nullable(v.string()),
    sideMenu: v.boolean(),
    slogan: v.boolean(),
  }),
  appVersion: v.nullable(v.string()),
  screenshots: v.array(v.object({ name: v.string(), url: v.string() })),
  homepage: v.nullable(v.string()),
  categories: v.array(v.string()),
  intro: v.nullable(v.string()),
  description: v.nullable(v.string()),
  stage: v.string(),
  status: v.string(),
  reasonBlocked: v.nullable(v.string()),
  email: v.nullable(v.string()),
  log: v.array(v.unknown()),
  appDomain: v.nullable(v.string()),
  customDomain: v.nullable(v.string()),
  type: v.string(),
  appName: v.string(),
  accountId: v.string(),
  clientId: v.string(),
  appId: v.string(),
  ...dated,
});

/** Wall clock of Seoul, date and time separated by a space. */
const seoulTime = (description: string, bound: "from" | "until") =>
  required(
    text(description, { kind: "seoulTime", bound, flag: bound === "from" ? "since" : "until" }),
  );

export const listProfits = get({
  does: "List what apps earned, newest settlement first",
  path: "/appstore/v2/profits",
  needs: appstoreRead,
  page: { by: "offset", items: "completed" },
  query: {
    startDate: seoulTime("settled on or after", "from"),
    endDate: seoulTime("settled on or before", "until"),
    appId: id("only this app; its id: in the list without this flag, or in the service's console"),
    ...byOffset,
    type: text("passed on to the service; what it filters is not documented"),
  },
  reply: v.object({
    expectedProfit: v.number(),
    completed: v.array(
      v.object({
        accountId: v.string(),
        appId: v.string(),
        appName: v.string(),
        ...dated,
      }),
    ),
  }),
});

export const setAppLive = endpoint({
  does: "Change the stage of an app of yours to LIVE",
  method: "PUT",
  path: "/appstore/v2/me/apps/:appId/stage",
  effect: "settling",
  needs: authenticated,
  alsoNeeds: appstoreWrite,
  body: v.object({}),
  reply: app,
});

export type App = v.InferOutput<typeof app>;
