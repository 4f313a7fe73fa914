/** The service's business rules: a function for every endpoint of the contract. */
import type { Contract } from "../../contract/index.ts";
import type { FormChecks, Handlers } from "../service.ts";
import { listProfits, setAppLive } from "./apps.ts";
import {
  addBankAccount,
  checkBankAccount,
  getBankAccount,
  listWithdrawals,
  removeBankAccount,
  requestWithdrawal,
} from "./bank.ts";
import {
  changeAlert,
  chargeBalance,
  checkTransfer,
  getAlert,
  getBalance,
  switchAlert,
  transferBalance,
} from "./cash.ts";
import { deleteFile, getFile, listFiles, uploadFile } from "./files.ts";
import { exportGroups } from "./group-export.ts";
import { addGroupMessages, deleteGroupMessages, listGroupMessages } from "./group-messages.ts";
import {
  rescheduleGroup,
  resendGroup,
  scheduleGroup,
  sendGroup,
  unscheduleGroup,
} from "./group-sending.ts";
import { createGroup, deleteGroup, listGroups, readGroup } from "./groups.ts";
import { getQuote, getStatement, listHistory } from "./history.ts";
import {
  getChannel,
  linkChannel,
  listCategories,
  listChannels,
  requestLinkToken,
  unlinkChannel,
} from "./kakao-channels.ts";
import {
  commentTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  hideTemplate,
  listTemplates,
  requestReview,
  updateTemplate,
} from "./kakao-templates.ts";
import { exportMessages, listMessages, sendMany, sendManyDetail, sendMessage } from "./messages.ts";
import { authorize, getAccessToken, getUserProfile } from "./oauth.ts";
import {
  addPayment,
  checkCard,
  listPayments,
  orderPayments,
  removePayment,
  toggleRecharge,
} from "./payment.ts";
import { getDefaultPrice, getPrice, listPrices } from "./pricing.ts";
import { getQuota, listQuotaRequests, requestQuota } from "./quota.ts";
import { downloadStatistics, getStatistics, listDailyStatistics } from "./statistics.ts";

export const handlers: Handlers<Contract> = {
  sendMessage,
  sendMany,
  sendManyDetail,
  listMessages,
  createGroup,
  addGroupMessages,
  listGroupMessages,
  deleteGroupMessages,
  sendGroup,
  scheduleGroup,
  rescheduleGroup,
  unscheduleGroup,
  listGroups,
  readGroup,
  deleteGroup,
  resendGroup,
  exportGroups,
  getPrice,
  exportMessages,
  getStatistics,
  listDailyStatistics,
  downloadStatistics,
  listPrices,
  getDefaultPrice,
  getBalance,
  getAlert,
  changeAlert,
  switchAlert,
  listHistory,
  chargeBalance,
  transferBalance,
  getQuote,
  getStatement,
  listPayments,
  addPayment,
  orderPayments,
  removePayment,
  toggleRecharge,
  getBankAccount,
  addBankAccount,
  removeBankAccount,
  requestWithdrawal,
  listWithdrawals,
  createTemplate,
  updateTemplate,
  commentTemplate,
  listTemplates,
  getTemplate,
  deleteTemplate,
  hideTemplate,
  requestReview,
  listCategories,
  requestLinkToken,
  linkChannel,
  listChannels,
  getChannel,
  unlinkChannel,
  authorize,
  getAccessToken,
  getUserProfile,
  uploadFile,
  listFiles,
  getFile,
  deleteFile,
  getQuota,
  listQuotaRequests,
  requestQuota,
  listProfits,
  setAppLive,
};

/** Checked before a second factor is asked for: a mistyped card number must not cause a call. */
export const formChecks: FormChecks<Contract> = {
  addPayment: checkCard,
  addBankAccount: checkBankAccount,
  transferBalance: checkTransfer,
};
