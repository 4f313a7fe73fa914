/** The rate limit that `sandbox set --rate-limit` switches on; the service publishes none. */

import { assumed } from "../assumptions/assumption.ts";
import { type Caller, Refusal } from "../service.ts";
import type { Store } from "../store/store.ts";

/** Throws Refusal 429 once a key has made its requests of the running second. */
export const checkRateLimit = (store: Store, caller: Caller, signingTime: Date): void => {
  const limit = store.settings.get("rateLimit");
  if (limit === null) return;
  const second = Math.floor(signingTime.getTime() / 1000);
  const rates = store.settings.get("rates");
  const used = rates.second === second ? rates.used : {};
  const key = caller.apiKey ?? caller.memberId;
  const count = (used[key] ?? 0) + 1;
  if (count > limit) {
    throw new Refusal(429, "TooManyRequests", `More than ${limit} requests a second.`, {
      headers: { ...assumed("rate-limit").headers, "retry-after": "1" },
    });
  }
  store.settings.set("rates", { second, used: { ...used, [key]: count } });
};
