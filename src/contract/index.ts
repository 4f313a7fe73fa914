/**
 * The whole contract as one record. For the sandbox, the reference and tests; a command imports the
 * area that it needs, so that it does not evaluate the schemas of the others.
 */
import { getBalance } from "./cash.ts";
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
import { listMessages, sendMany, sendManyDetail, sendMessage } from "./messages.ts";
import { getPrice } from "./pricing.ts";

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
  getBalance,
} as const satisfies Readonly<Record<string, Endpoint>>;

export type Contract = typeof contract;
