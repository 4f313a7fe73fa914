/** Sending through an app of the app store: whether it may, and what the app earns. */
import { type Profit, profitKeys } from "../../contract/apps.ts";
import { Refusal } from "../service.ts";
import type { AppRow } from "../store/apps.ts";
import type { GroupRow } from "../store/groups.ts";
import type { Store } from "../store/store.ts";
import { chargeOf } from "./groups.ts";

export const blockedApp = ({ appId, reasonBlocked }: AppRow): Refusal =>
  new Refusal(400, "BlockedApp", `The app '${appId}' is blocked: ${reasonBlocked}.`);

/**
 * The app that a group is created for; undefined for none. Throws Refusal 400 for an app that may not
 * have groups; whether it is active is checked when a group is sent.
 */
export const checkApp = (store: Store, appId: string | null | undefined): AppRow | undefined => {
  if (!appId) return undefined;
  const app = store.apps.read(appId);
  if (app === undefined) throw new Refusal(400, "InvalidAppId", `There is no app '${appId}'.`);
  if (app.reasonBlocked !== null) throw blockedApp(app);
  if (app.stage !== "LIVE")
    throw new Refusal(400, "InDevelopment", `The app '${appId}' is not LIVE yet.`);
  return app;
};

/** The same for a send: also throws Refusal 400 for an inactive app. */
export const checkSendingApp: typeof checkApp = (store, appId) => {
  const app = checkApp(store, appId);
  if (app === undefined || app.status === "ACTIVE") return app;
  throw new Refusal(400, "InactiveApp", `The app '${app.appId}' is not active.`);
};

/** Whether a group may be sent as far as its app is concerned. */
export const canSend = (store: Store, { appId }: GroupRow): boolean =>
  appId === null || store.apps.read(appId)?.status === "ACTIVE";

/** What an app earns with a message of each type. */
export const profitOf = (profit: string | null): Profit => ({
  ...nothing,
  ...(profit === null ? {} : JSON.parse(profit)),
});

const nothing: Profit = { sms: 0, lms: 0, mms: 0, ata: 0, cta: 0, cti: 0 };

/** Records what the app of a sent group earned with it. */
export const payProfit = (store: Store, group: GroupRow, at: number): void => {
  if (group.appId === null) return;
  const profit = profitOf(group.appProfit);
  const charge = chargeOf(group);
  const amount = profitKeys
    .flatMap((key) => Object.values(charge[key] ?? {}).map((count) => count * profit[key]))
    .reduce((sum, won) => sum + won, 0);
  if (amount > 0) store.apps.addEarning(group.appId, amount, at);
};
