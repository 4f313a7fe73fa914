/** Shows what the sandbox holds: request log, accounts, codes that were sent, bytes of files. */

import type { Reply } from "../../contract/endpoint.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { pageOf } from "../handlers/list-page.ts";
import { notFound } from "../service.ts";
import { codeOf, secondFactorIdOf, tokenOf } from "../store/ids.ts";
import type { ControlHandler } from "./admin-context.ts";

export const listRequests: ControlHandler<"listRequests"> = ({ query }, { store }) => {
  const { startKey, limit = defaultRows } = query ?? {};
  const found = store.requests.list({ from: startKey, limit: limit + 1 });
  const { rows, keys } = pageOf(found, limit, (row) => row.requestId);
  return { requests: rows, nextKey: keys.nextKey };
};

export const listAccounts: ControlHandler<"listAccounts"> = (_input, { store }) => ({
  accounts: store.callers.accounts(),
  keys: store.callers.keys(),
  oauthClients: store.oauth.clients(),
  senders: store.sendersAndPrices.senders(),
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

type Code = Reply<Controls["listCodes"]>[number];

/** The newest of every part of the service that sends codes. */
export const listCodes: ControlHandler<"listCodes"> = ({ query }, { store, idSeed }) => {
  const { offset = 0, limit = defaultRows } = query ?? {};
  const factors = store.secondFactors.newest(offset + limit).map(
    ({ seq, authType, destination, created }): Code => ({
      code: codeOf(seq, idSeed),
      kind: authType,
      destination,
      transactionId: secondFactorIdOf(seq, created, idSeed),
      dateSent: new Date(created).toISOString(),
    }),
  );
  const tokens = store.channels.tokens(offset + limit).map(
    ({ seq, phoneNumber, created }): Code => ({
      code: tokenOf(seq, idSeed),
      kind: "LINK",
      destination: phoneNumber,
      transactionId: null,
      dateSent: new Date(created).toISOString(),
    }),
  );
  return [...factors, ...tokens]
    .sort((one, other) => other.dateSent.localeCompare(one.dateSent))
    .slice(offset, offset + limit);
};

/** Anyone may: who knows the address may see the picture, as phones do. */
export const readFileBody: ControlHandler<"readFileBody"> = (
  { params: { accountId, fileId } },
  { store },
) => {
  const bytes = store.files.body(accountId, fileId);
  if (bytes !== undefined) return Buffer.from(bytes);
  throw notFound(`There is no file '${fileId}'.`);
};
