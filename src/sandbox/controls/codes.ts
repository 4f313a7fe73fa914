/** The codes that members were sent, from every part of the service that sends any. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import { defaultRows } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { timeOf } from "../handlers/times.ts";
import { codeOf, secondFactorIdOf } from "../store/money-ids.ts";
import { tokenOf } from "../store/record-ids.ts";
import type { Store } from "../store/store.ts";
import type { AdminContext } from "./admin-context.ts";

type Code = Reply<Controls["listCodes"]>[number];

/** The newest codes of one source, so many at most. */
type Source = (store: Store, max: number) => readonly Code[];

const secondFactorCodes: Source = (store, max) => {
  const idSeed = store.settings.get("idSeed");
  return store.secondFactors.newest(max).map(({ seq, authType, destination, created }) => ({
    code: codeOf(seq, idSeed),
    kind: authType,
    destination,
    transactionId: secondFactorIdOf(seq, created, idSeed),
    dateSent: timeOf(created),
  }));
};

const linkTokens: Source = (store, max) => {
  const idSeed = store.settings.get("idSeed");
  return store.channels.tokens(max).map(({ seq, phoneNumber, created }) => ({
    code: tokenOf(seq, idSeed),
    kind: "LINK",
    destination: phoneNumber,
    transactionId: null,
    dateSent: timeOf(created),
  }));
};

const sources: readonly Source[] = [secondFactorCodes, linkTokens];

export const listCodes = (
  { query }: Input<Controls["listCodes"]>,
  { store }: AdminContext,
): Reply<Controls["listCodes"]> => {
  const { offset = 0, limit = defaultRows } = query ?? {};
  return sources
    .flatMap((source) => source(store, offset + limit))
    .sort((a, b) => b.dateSent.localeCompare(a.dateSent))
    .slice(offset, offset + limit);
};
