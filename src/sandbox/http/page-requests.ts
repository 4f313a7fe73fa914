/** What forms of the pages ask for: control routes, and the service itself as its first owner. */
import { createHmac, randomBytes } from "node:crypto";
import { accountA } from "../fixtures/accounts.ts";
import type { Control } from "../pages/page.ts";
import type { HandleRequest } from "../router.ts";
import type { Store } from "../store/store.ts";

export interface PageRequests {
  readonly handleRequest: HandleRequest;
  readonly store: Store;
  /** The signature clock. */
  readonly now: () => Date;
}

/** Forms come in by the same door as the commands: bytes, in one transaction. */
export const createControl =
  ({ handleRequest, store, now }: PageRequests): Control =>
  async (method, target, content) => {
    const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
    const authorization = target.startsWith("/_sandbox/") ? {} : signedBy(store, now());
    const headers = { "content-type": "application/json", ...authorization };
    const exchange = handleRequest({ method, target, headers, body, address: "127.0.0.1" });
    const answer = await exchange.answer;
    return { status: answer.status, reply: JSON.parse(Buffer.from(answer.body).toString("utf8")) };
  };

/** The header that authenticates a request of the first account's owner (spec 2). */
const signedBy = (store: Store, now: Date): Readonly<Record<string, string>> => {
  const owner = store.callers.keys().find((it) => it.accountId === accountA);
  const [date, salt] = [now.toISOString(), randomBytes(16).toString("hex")];
  const signature = createHmac("sha256", owner?.secret ?? "")
    .update(date + salt)
    .digest("hex");
  return {
    authorization: `HMAC-SHA256 apiKey=${owner?.key}, date=${date}, salt=${salt}, signature=${signature}`,
  };
};
