/** Every page, in the order of the navigation: a new one is a file and a line here. */
import { balance } from "./balance.ts";
import { clock } from "./clock.ts";
import { codes } from "./codes.ts";
import { faults } from "./faults.ts";
import { feed } from "./feed.ts";
import { groups } from "./groups.ts";
import type { Page } from "./page.ts";
import { phones } from "./phones.ts";
import { requests } from "./requests.ts";
import { review } from "./review.ts";

export const pages: readonly Page[] = [
  phones,
  feed,
  codes,
  requests,
  groups,
  balance,
  review,
  faults,
  clock,
];
