/** How the forms of pages reach control routes, and the service itself. */
import { createHmac, randomBytes } from "node:crypto";
import { isSandboxRoute } from "../../contract/endpoint.ts";
import { type Clock, timeOf } from "../clock.ts";
import { accountA } from "../fixtures/accounts.ts";
import type { HandleRequest } from "../router.ts";
import type { Store } from "../store/store.ts";
import type { Control } from "./page.ts";

/** Forms use the same door as the commands: bytes, in one transaction. */
export const createControl =
  (handleRequest: HandleRequest, store: Store, clock: Clock): Control =>
  async (method, target, content) => {
    const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
    const authorization = isSandboxRoute({ path: target })
      ? {}
      : { authorization: signatureOf(store, clock.read().signing) };
    const headers = { "content-type": "application/json", ...authorization };
    const exchange = handleRequest({ method, target, headers, body, address: "127.0.0.1" });
    const answer = await exchange.answer;
    return { status: answer.status, reply: JSON.parse(Buffer.from(answer.body).toString("utf8")) };
  };

/** The header that authenticates a request of the first account's owner. */
const signatureOf = (store: Store, now: number): string => {
  const owner = store.callers.keys().find((it) => it.accountId === accountA);
  const [date, salt] = [timeOf(now), randomBytes(16).toString("hex")];
  const hmac = createHmac("sha256", owner?.secret ?? "").update(date + salt);
  return `HMAC-SHA256 apiKey=${owner?.key}, date=${date}, salt=${salt}, signature=${hmac.digest("hex")}`;
};
