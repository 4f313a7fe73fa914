/** The choices that no source shows: what was asked, what the sandbox does, and where it is noted. */
import { accessAssumptions } from "./access.ts";
import type { Assumption } from "./assumption.ts";
import { documentAssumptions } from "./documents.ts";
import { kakaoAssumptions } from "./kakao.ts";
import { messageAssumptions } from "./messages.ts";
import { moneyAssumptions } from "./money.ts";
import { storageAssumptions } from "./storage.ts";

/** Grouped by area; an answer that rests on one names it in `x-sandbox-assumption`. */
export const assumptions: readonly Assumption[] = [
  ...messageAssumptions,
  ...moneyAssumptions,
  ...kakaoAssumptions,
  ...accessAssumptions,
  ...documentAssumptions,
  ...storageAssumptions,
];
