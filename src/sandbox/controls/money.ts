/** Codes that members were sent, and what the service's staff decides about withdrawals. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import { withdrawalRecord } from "../handlers/bank.ts";
import { movePurses } from "../rules/purses.ts";
import { Refusal } from "../service.ts";
import { codeOf, secondFactorIdOf, withdrawSeqOf } from "../store/money-ids.ts";
import type { Store } from "../store/store.ts";
import type { WithdrawalRow } from "../store/withdrawals.ts";
import type { Bench } from "./bench.ts";

/** The newest codes of second factors, so many at most. */
export const secondFactorCodes = (store: Store, most: number): Reply<Controls["listCodes"]> => {
  const idSeed = store.settings.get("idSeed");
  return store.secondFactors
    .list({ offset: 0, limit: most })
    .map(({ seq, authType, destination, created }) => ({
      code: codeOf(seq, idSeed),
      kind: authType,
      destination,
      transactionId: secondFactorIdOf(seq, created, idSeed),
      dateSent: new Date(created).toISOString(),
    }));
};

/** Paid, or given back. A second decision is refused unless it is the same one. */
export const reviewWithdrawal = (
  { body }: Input<Controls["reviewWithdrawal"]>,
  { store, now }: Bench,
): Reply<Controls["reviewWithdrawal"]> => {
  const { withdrawId, decision, memo = null } = body;
  const idSeed = store.settings.get("idSeed");
  const seq = withdrawSeqOf(withdrawId, idSeed);
  const row = seq === undefined ? undefined : store.withdrawals.read(seq);
  if (row === undefined) {
    throw new Refusal(404, "ResourceNotFound", `There is no withdrawal '${withdrawId}'.`);
  }
  const status = decision === "approve" ? "APPROVED" : "REJECTED";
  if (row.status === status) return withdrawalRecord(row, idSeed);
  if (row.status !== "PENDING") {
    throw new Refusal(409, "FailedToUpdate", `The withdrawal is ${row.status} already.`);
  }
  const at = now.getTime();
  const decided: WithdrawalRow = {
    ...row,
    status,
    memo,
    updated: at,
    confirmed: at,
    ...(status === "APPROVED" && { transactionId: `BANK${row.seq}${at}`, transacted: at }),
  };
  store.withdrawals.update(decided);
  if (status === "REJECTED") giveBack(decided, { store, withdrawId, at });
  return withdrawalRecord(decided, idSeed);
};

const giveBack = (
  { accountId, totalAmount }: WithdrawalRow,
  { store, withdrawId, at }: Pick<Bench, "store"> & { withdrawId: string; at: number },
): void =>
  void movePurses(store, accountId, {
    type: "RECHARGE",
    balance: totalAmount,
    point: 0,
    at,
    memo: `withdrawal ${withdrawId} rejected`,
  });
