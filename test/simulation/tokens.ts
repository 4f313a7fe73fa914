/**
 * Access tokens that end while a run works. The sandbox verifies tokens on another thread, which takes real
 * time: here a gateway does it, and signs what it lets through. Copies of a request carry no common signature.
 */
import { signedHeader } from "../../src/client/layers/authorization.ts";
import type { Wire } from "../../src/contract/wire.ts";
import type { Service } from "./line.ts";

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token that ends then. */
export const tokenUntil = (ms: number): string =>
  [encoded({}), encoded({ exp: Math.floor(ms / 1_000), scope: "*" }), "x"].join(".");

interface GatewayOptions {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly nowMs: () => number;
}

export const withTokens = (service: Service, { nowMs, ...pair }: GatewayOptions): Service => {
  const passed = { count: 0 };
  const signed = (wire: Wire): Wire => {
    passed.count += 1;
    const salt = String(passed.count).padStart(32, "0");
    const authorization = signedHeader(pair, new Date(nowMs()).toISOString(), salt);
    return { ...wire, headers: { ...wire.headers, authorization } };
  };
  return {
    perform: async (wire) => {
      const [, claims] = /^bearer [\w-]+\.([\w-]+)\./.exec(wire.headers.authorization ?? "") ?? [];
      if (claims === undefined) return service.perform(wire);
      const { exp }: { readonly exp: number } = JSON.parse(
        Buffer.from(claims, "base64url").toString(),
      );
      return exp * 1_000 > nowMs() ? service.perform(signed(wire)) : ended(nowMs());
    },
  };
};

/** What the service answers to a token that has ended. */
const ended = (nowMs: number) => ({
  status: 401,
  headers: { date: new Date(nowMs).toUTCString(), "content-type": "application/json" },
  body: Buffer.from(
    JSON.stringify({ errorCode: "Unauthorized", errorMessage: "The access token is expired." }),
  ),
});
