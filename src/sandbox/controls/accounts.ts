/** Shows what the sandbox holds: request log, accounts. */

import type { Input, Reply } from "../../contract/endpoint.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { pageOf } from "../handlers/list-page.ts";
import type { AdminContext } from "./admin-context.ts";

export const listRequests = (
  { query }: Input<Controls["listRequests"]>,
  { store }: AdminContext,
): Reply<Controls["listRequests"]> => {
  const { startKey, limit = defaultRows } = query ?? {};
  const found = store.requests.list({ from: startKey, limit: limit + 1 });
  const { rows, keys } = pageOf(found, limit, (row) => row.requestId);
  return { requests: rows, nextKey: keys.nextKey };
};

export const listAccounts = (
  _input: unknown,
  { store }: AdminContext,
): Reply<Controls["listAccounts"]> => ({
  accounts: store.callers.accounts(),
  keys: store.callers.keys(),
  oauthClients: store.oauth.clients(),
  senders: store.callers.senders(),
  channels: store.channels.all().map(({ accountId, pfId, searchId, phoneNumber }) => ({
    accountId,
    pfId,
    searchId,
    phoneNumber,
  })),
  templates: store.templates.all().map(({ accountId, templateId, pfId, name, codes }) => ({
    accountId,
    templateId,
    pfId,
    name,
    status: codes.map(({ service, status }) => `${service} ${status}`).join(", "),
  })),
  apps: store.apps
    .all()
    .map(({ appId, appName, stage, status }) => ({ appId, appName, stage, status })),
});
