/** Banks of Korea, and the bank account that withdrawals go to. */
import { shapedReply } from "../client/codec.ts";
import { getBankAccount } from "../contract/payment.ts";
import { type MsgError, notFound } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Ports } from "../ports.ts";

/** By their codes, for the picker and for tables; the service takes others too. */
export const banks: Readonly<Record<string, string>> = {
  "002": "KDB산업은행",
  "003": "IBK기업은행",
  "004": "KB국민은행",
  "007": "수협은행",
  "011": "NH농협은행",
  "012": "지역농축협",
  "020": "우리은행",
  "023": "SC제일은행",
  "027": "한국씨티은행",
  "031": "iM뱅크",
  "032": "부산은행",
  "034": "광주은행",
  "035": "제주은행",
  "037": "전북은행",
  "039": "경남은행",
  "045": "새마을금고",
  "048": "신협",
  "050": "저축은행",
  "064": "산림조합",
  "071": "우체국",
  "081": "하나은행",
  "088": "신한은행",
  "089": "케이뱅크",
  "090": "카카오뱅크",
  "092": "토스뱅크",
};

/** The registered account, as a sentence names it; `todo` is the advice if there is none. Throws missing. */
export const readBankAccount = async ({ session }: Ports, todo: string) => {
  const client = await session.client();
  const account = shapedReply(getBankAccount, await client.call(getBankAccount, {}));
  const { accountNumber, bankCode = "", holderName = "" } = account;
  if (accountNumber === undefined) throw noBankAccountError(todo);
  return { accountNumber, place: `${bankText(bankCode)} ${accountNumber}, ${holderName}` };
};

export const noBankAccountError = (todo: string): MsgError =>
  notFound(t`no bank account is registered`, todo);

/** `004 KB국민은행`; a code that is not in the list is shown alone. */
export const bankText = (code: string | undefined): string | undefined => {
  const name = code === undefined ? undefined : banks[code.padStart(3, "0")];
  return name === undefined ? code : `${code} ${name}`;
};
