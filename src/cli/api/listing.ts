/** The contract as a list. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { describeNeeds } from "../help/describe-needs.ts";

export interface EndpointRow {
  readonly method: string;
  readonly path: string;
  readonly does: string;
  readonly effect: Endpoint["effect"];
  readonly needs: string;
  readonly secondFactor: boolean;
}

/** By path, then by method. */
export const listEndpoints = (contract: Readonly<Record<string, Endpoint>>): EndpointRow[] =>
  Object.values(contract)
    .map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      does: endpoint.does,
      effect: endpoint.effect,
      needs: describeNeeds(endpoint),
      secondFactor: endpoint.secondFactor ?? false,
    }))
    .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
