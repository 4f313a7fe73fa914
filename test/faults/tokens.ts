/** Access tokens of a service behind an address. */
import { appOf, tokensFor } from "../sandbox/apps.ts";
import type { Door } from "../sandbox/doors.ts";

/** The service as the helpers of OAuth2 reach it. */
const doorTo = (baseUrl: string): Door => ({
  clock: { now: new Date() },
  close: async () => undefined,
  call: async (method, target, { headers, body, bytes } = {}) => {
    const sent = bytes ? Buffer.from(bytes) : JSON.stringify(body);
    const told = await fetch(`${baseUrl}${target}`, {
      ...{ method, body: sent, redirect: "manual" },
      headers: { "content-type": "application/json", ...headers },
    });
    const { status } = told;
    return { status, headers: Object.fromEntries(told.headers), text: await told.text() };
  },
});

/** The environment of a `msg` that has a token of these scopes, of a member, and no key. */
export const tokenEnv = async (baseUrl: string, scopes: string, memberId?: string) => {
  const of = { app: appOf(2), ...(memberId !== undefined && { memberId }) };
  const { access_token } = await tokensFor(doorTo(baseUrl), scopes, of);
  return { MSG_API_KEY: "", MSG_API_SECRET: "", MSG_ACCESS_TOKEN: access_token };
};
