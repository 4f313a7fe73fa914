/** Kakao channels: categories, tokens, links. */
import type { QueryOf } from "../../contract/endpoint.ts";
import type * as Declared from "../../contract/kakao.ts";
import { withoutHyphens } from "../rules/recipients.ts";
import { type Handler, Refusal, type Service, validationError } from "../service.ts";
import { codeOf, recordIdOf, sealOf } from "../store/ids.ts";
import type { ChannelRow } from "../store/kakao.ts";
import { recordFilters } from "./filters.ts";
import { datesOf, ownRecord, recordPage } from "./records.ts";

export const linkTokenLifetimeMs = 10 * 60_000;

/** The categories that channels choose from: three levels, separated by commas. */
const categories = [
  { code: "00100010001", name: "Health,Hospital,General hospital" },
  { code: "00100020001", name: "Health,Pharmacy,Pharmacy" },
  { code: "00200010001", name: "Education,School,University" },
  { code: "00200020001", name: "Education,Academy,Offline academy" },
  { code: "00300010001", name: "Shopping,Fashion,Clothing" },
  { code: "00300020001", name: "Shopping,Food,Groceries" },
  { code: "00400010001", name: "Finance,Bank,Bank" },
  { code: "00500010001", name: "Travel,Lodging,Hotel" },
  { code: "00600010001", name: "Restaurant,Cafe,Coffee" },
  { code: "00700010001", name: "Computer,Software/Solution,Software" },
] as const;

export const listCategories: Handler<"listCategories"> = () => [...categories];

export const requestLinkToken: Handler<"requestLinkToken"> = ({ body }, service) => {
  const { store, caller, now, assume } = service;
  const { searchId, phoneNumber } = checkChannel(body);
  const { accountId } = caller;
  store.channels.addToken({ accountId, searchId, phoneNumber, created: now });
  assume("link-token");
  return { success: true };
};

export const linkChannel: Handler<"linkChannel"> = ({ body }, service) => {
  const { store, caller, now, assume, idSeed } = service;
  const { accountId } = caller;
  const { searchId, phoneNumber, categoryCode } = checkChannel(body);
  assume("link-token");
  if (store.channels.bySearchId(accountId, searchId) !== undefined) {
    const text = `The channel '${searchId}' is linked already.`;
    throw new Refusal(409, "AlreadyLinked", text);
  }
  const token = store.channels.lastToken(accountId, searchId, phoneNumber);
  const isValid =
    token?.used === 0 &&
    now - token.created <= linkTokenLifetimeMs &&
    codeOf("token", token.seq, idSeed) === body.token;
  if (!isValid) throw new Refusal(400, "InvalidToken", "The token is wrong or has expired.");
  store.channels.useToken(token.seq);
  const seq = store.nextNumber("channel");
  const row: ChannelRow = {
    pfId: recordIdOf("KA01PF", seq, now, idSeed),
    accountId,
    searchId,
    phoneNumber,
    senderKey: sealOf("senderKey", seq, idSeed).slice(0, 18),
    categoryCode,
    created: now,
    updated: now,
  };
  store.channels.insert(row);
  return channelRecord(row);
};

export const getChannel: Handler<"getChannel"> = ({ params }, service) =>
  channelRecord(ownChannel(params.pfId, service));

/** Removes its templates too. */
export const unlinkChannel: Handler<"unlinkChannel"> = ({ params }, service) => {
  const row = ownChannel(params.pfId, service);
  service.store.templates.removeOf(row.pfId);
  service.store.channels.remove(row.pfId);
  return channelRecord(row);
};

export const listChannels: Handler<"listChannels"> = ({ query = {} }, service) => {
  const { rows, keys } = channelPage(query, service);
  return { ...keys, friends: rows.map(channelRecord) };
};

export const channelPage = (query: QueryOf<typeof Declared.listChannels>, service: Service) => {
  const filters = recordFilters(query, ["pfId", "categoryCode", "searchId", "phoneNumber"]);
  return recordPage(query, service, filters, service.store.channels);
};

export const ownChannel = (pfId: string, service: Service): ChannelRow =>
  ownRecord(service.store.channels.read(pfId), `channel '${pfId}'`, service);

const channelRecord = (row: ChannelRow): Declared.Channel => ({
  accountId: row.accountId,
  phoneNumber: row.phoneNumber,
  searchId: row.searchId,
  ...datesOf(row),
  pfId: row.pfId,
  senderKeys: [{ service: "biz", key: row.senderKey, categoryCode: row.categoryCode }],
});

/** The same without the leading @ of the id. Throws Refusal 400 with every problem. */
const checkChannel = (channel: Pick<ChannelRow, "searchId" | "phoneNumber" | "categoryCode">) => {
  const searchId = channel.searchId.replace(/^@/, "");
  const digits = withoutHyphens(channel.phoneNumber);
  const isKnown = categories.some(({ code }) => code === channel.categoryCode);
  const problems = [
    searchId === "" && "'searchId' must not be empty",
    !/^\d{8,11}$/.test(digits) && "'phoneNumber' must be a phone number",
    !isKnown && `'categoryCode' is no category: '${channel.categoryCode}'`,
  ].filter((it) => it !== false);
  if (problems.length > 0) throw validationError(`${problems.join("; ")}.`);
  return { ...channel, searchId };
};
