/**
 * The whole contract as one record. For the sandbox, the reference and tests; a command imports the
 * area that it needs, so that it does not evaluate the schemas of the others.
 *
 * A new endpoint: declare it in its area and list it here; the compiler then asks for its handler
 * (sandbox/handlers). What it keeps is a member of sandbox/store/store.ts and a new last step in
 * store/migrations. Its command is a file of commands/ and a line in commands/table.ts; a new noun has a
 * sentence in `groups` there.
 */

import { listProfits, setAppLive } from "./apps.ts";
import {
  addBankAccount,
  getBankAccount,
  listWithdrawals,
  removeBankAccount,
  requestWithdrawal,
} from "./bank.ts";
import {
  changeAlert,
  chargeBalance,
  getAlert,
  getBalance,
  getQuote,
  getStatement,
  listHistory,
  switchAlert,
  transferBalance,
} from "./cash.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  addGroupMessages,
  createGroup,
  deleteGroup,
  deleteGroupMessages,
  exportGroups,
  listGroupMessages,
  listGroups,
  readGroup,
  rescheduleGroup,
  resendGroup,
  scheduleGroup,
  sendGroup,
  unscheduleGroup,
} from "./groups.ts";
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
  listPayments,
  orderPayments,
  removePayment,
  toggleRecharge,
} from "./payment.ts";
import { getDefaultPrice, getPrice, listPrices } from "./pricing.ts";
import { getQuota, listQuotaRequests, requestQuota } from "./quota.ts";
import { downloadStatistics, getStatistics, listDailyStatistics } from "./statistics.ts";
import { deleteFile, getFile, listFiles, uploadFile } from "./storage.ts";

export const contract = {
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
} as const satisfies Readonly<Record<string, Endpoint>>;

export type Contract = typeof contract;
