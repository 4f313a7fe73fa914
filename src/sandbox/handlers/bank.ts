/** Bank account and withdrawals. */
import { declared, type Reply } from "../../contract/endpoint.ts";
import * as Declared from "../../contract/payment.ts";
import { withoutHyphens } from "../rules/recipients.ts";
import { adjustWallet } from "../rules/wallet.ts";
import { type FormCheck, type Handler, notFound, Refusal, validationError } from "../service.ts";
import { idOf, seqOf } from "../store/ids.ts";
import { pendingWithdrawal, type WithdrawalRow } from "../store/payments.ts";
import { rejectUnknown, timeFilters, valueFilters } from "./filters.ts";
import { dated, datesOf, numberedPage, ownAccount, timeOrNull } from "./records.ts";

export const getBankAccount: Handler<"getBankAccount"> = (_input, { store, caller, assume }) => {
  const account = store.bankAccounts.read(caller.accountId);
  if (account === undefined) return {};
  assume("bank-account");
  return { ...dated(account), accountNumber: Declared.maskedNumber(account.accountNumber) };
};

export const checkBankAccount: FormCheck<"addBankAccount"> = ({ body }) => {
  const { accountNumber, bankCode } = body;
  const holderName = body.holderName.trim();
  const isExact = typeof accountNumber === "string" || Number.isSafeInteger(accountNumber);
  if (!isExact || !/^\d{7,16}$/.test(withoutHyphens(String(accountNumber))))
    throw validationError("'accountNumber' must be 7 to 16 digits.");
  if (!/^\d{2,11}$/.test(bankCode)) throw validationError("'bankCode' must be 2 to 11 digits.");
  if (holderName.length < 1 || holderName.length > 50)
    throw validationError("'holderName' must be 1 to 50 characters.");
};

/** One bank account per account: the new one replaces the old. */
export const addBankAccount: Handler<"addBankAccount"> = ({ body }, service) => {
  const { store, caller, now, assume } = service;
  const { accountNumber: sent, bankCode } = body;
  const holderName = body.holderName.trim();
  const accountNumber = withoutHyphens(String(sent));
  assume("bank-account");
  if (holderName === "MISMATCH")
    throw validationError("The bank knows another holder of this account.");
  const { accountId } = caller;
  const created = store.bankAccounts.read(accountId)?.created ?? now;
  store.bankAccounts.set({ accountId, bankCode, accountNumber, holderName, created, updated: now });
  return { accountNumber: String(sent), bankCode, holderName, success: true };
};

export const removeBankAccount: Handler<"removeBankAccount"> = (_input, service) => {
  service.assume("bank-account");
  return { n: service.store.bankAccounts.remove(service.caller.accountId) };
};

/** Takes the total at once; staff decides later. */
export const requestWithdrawal: Handler<"requestWithdrawal"> = ({ body }, service) => {
  const { store, now, assume, idSeed } = service;
  const { accountId, balance } = ownAccount(service);
  const bank = store.bankAccounts.read(accountId);
  assume("withdrawal");
  if (bank === undefined) throw notFound("No bank account is registered.");
  if (body.amount > balance) {
    const text = `The balance is ${balance} won; points cannot be withdrawn.`;
    throw new Refusal(403, "Forbidden", text);
  }
  const row = store.withdrawals.insert(pendingWithdrawal(bank, body.amount, now));
  const record = withdrawalRecord(row, idSeed);
  adjustWallet(store, accountId, {
    type: "DEDUCT",
    balance: 0 - body.amount,
    at: now,
    memo: `withdrawal ${record.withdrawId}`,
  });
  return record;
};

export const listWithdrawals: Handler<"listWithdrawals"> = ({ query = {} }, service) => {
  const { store, idSeed } = service;
  const { withdrawId, status, startDate, endDate } = query;
  if (status !== undefined) rejectUnknown("status", status, Declared.withdrawalStatuses);
  const filters = [
    ...valueFilters("seq", withdrawId && seqOf("withdrawal", withdrawId, idSeed)),
    ...valueFilters("status", status?.toUpperCase()),
    ...timeFilters("created", { gte: startDate, lte: endDate }),
  ];
  const table = { kind: "withdrawal", ...store.withdrawals } as const;
  const { rows, keys } = numberedPage(query, service, filters, table);
  return { data: rows.map((row) => withdrawalRecord(row, idSeed)), nextKey: keys.nextKey };
};

export const withdrawalRecord = (
  row: WithdrawalRow,
  idSeed: number,
): Reply<typeof Declared.requestWithdrawal> =>
  declared(Declared.withdrawal, {
    ...row,
    accountNumber: Declared.maskedNumber(row.accountNumber),
    isProcessing: false,
    confirmedCount: row.status === "APPROVED" ? 1 : 0,
    transactionDate: timeOrNull(row.transacted),
    amount: row.totalAmount - row.fee,
    withdrawId: idOf("withdrawal", row, idSeed),
    dateConfirmed: timeOrNull(row.status === "PENDING" ? null : row.confirmed),
    ...datesOf(row),
  });
