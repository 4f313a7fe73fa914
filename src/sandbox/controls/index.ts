/** A function for every control route. */
import type { Controls } from "../../contract/sandbox.ts";
import { assumptions } from "../assumptions/index.ts";
import { listAccounts, listRequests } from "./accounts.ts";
import type { ControlHandlers } from "./admin-context.ts";
import { moveClock, showClock } from "./clock.ts";
import { listCodes } from "./codes.ts";
import { consentStyle, decideConsent } from "./consent.ts";
import { addFault, clearFaults, listFaults } from "./faults.ts";
import { readFileBody } from "./files.ts";
import { findReceived, listInbox, showReceived } from "./inbox.ts";
import { reviewQuota, reviewTemplate, reviewWithdrawal } from "./review.ts";
import { changeSettings, resetSandbox, showStatus } from "./settings.ts";

export const controlHandlers: ControlHandlers<Controls> = {
  resetSandbox,
  changeSettings,
  showStatus,
  showClock,
  moveClock,
  listInbox,
  showReceived,
  findReceived,
  addFault,
  listFaults,
  clearFaults,
  listRequests,
  listAccounts,
  decideConsent,
  consentStyle,
  listAssumptions: ({ query }) => {
    const offset = query?.offset ?? 0;
    return assumptions.slice(offset, offset + (query?.limit ?? assumptions.length));
  },
  listCodes,
  reviewWithdrawal,
  reviewTemplate,
  reviewQuota,
  readFileBody,
};
