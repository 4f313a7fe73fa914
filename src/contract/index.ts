/**
 * The whole contract as one record. For the sandbox, the reference and tests; a command imports the
 * area that it needs, so that it does not evaluate the schemas of the others. What a new endpoint takes is
 * in README.md, and for what it keeps in sandbox/README.md ("Where a change goes").
 */

import * as account from "./account.ts";
import * as apps from "./apps.ts";
import * as cash from "./cash.ts";
import { endpointsIn } from "./endpoint.ts";
import * as groups from "./groups.ts";
import * as kakao from "./kakao.ts";
import * as kakaoV2 from "./kakao-v2.ts";
import * as messages from "./messages.ts";
import * as payment from "./payment.ts";
import * as statistics from "./statistics.ts";
import * as storage from "./storage.ts";

export const contract = endpointsIn({
  ...messages,
  ...groups,
  ...statistics,
  ...account,
  ...cash,
  ...payment,
  ...kakao,
  ...storage,
  ...apps,
  ...kakaoV2,
});

export type Contract = typeof contract;
