/** The service's business rules: a function for every endpoint of the contract. */
import type { Contract } from "../../contract/index.ts";
import type { FormCheck, Handler } from "../service.ts";
import * as account from "./account.ts";
import * as apps from "./apps.ts";
import * as bank from "./bank.ts";
import * as billing from "./billing.ts";
import * as cash from "./cash.ts";
import * as files from "./files.ts";
import * as groupSending from "./group-sending.ts";
import * as groups from "./groups.ts";
import * as kakaoChannels from "./kakao-channels.ts";
import * as kakaoTemplates from "./kakao-templates.ts";
import * as kakaoV2 from "./kakao-v2.ts";
import * as messages from "./messages.ts";
import * as payment from "./payment.ts";
import * as statistics from "./statistics.ts";

/** Leaving one out does not compile. */
export const handlers: { readonly [N in keyof Contract]: Handler<N> } = {
  ...account,
  ...apps,
  ...bank,
  ...billing,
  ...cash,
  ...files,
  ...groupSending,
  ...groups,
  ...kakaoChannels,
  ...kakaoTemplates,
  ...kakaoV2,
  ...messages,
  ...payment,
  ...statistics,
};

/** Checked before a second factor is asked for: a mistyped card number must not cause a call. */
export const formChecks: { readonly [N in keyof Contract]?: FormCheck<N> } = {
  addPayment: payment.checkCard,
  addBankAccount: bank.checkBankAccount,
  transferBalance: cash.checkTransfer,
};
