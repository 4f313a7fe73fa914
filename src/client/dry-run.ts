/** `--dry-run`: the same command with a client that shows the first write instead of sending it. */

import type { Endpoint, UntypedRequest } from "../contract/endpoint.ts";
import { type FieldFacts, factsOf, membersOf } from "../contract/fields.ts";
import type { Client } from "./client.ts";
import { encode, untyped } from "./codec.ts";

/** Ends a dry run with what it would have sent. */
export class DryRunPreview extends Error {
  readonly preview: { readonly method: string; readonly path: string; readonly body: unknown };

  constructor(preview: DryRunPreview["preview"]) {
    super("dry run");
    this.name = "DryRunPreview";
    this.preview = preview;
  }
}

/** Reads go through; a write is shown, secrets masked, and nothing is sent. */
export const dryRun = (client: Client): Client => ({
  ...client,
  call: (endpoint, input, options) => {
    if (endpoint.effect === "safe") return client.call(endpoint, input, options);
    return Promise.reject(new DryRunPreview(previewOf(endpoint, untyped(input))));
  },
});

const previewOf = (endpoint: Endpoint, input: UntypedRequest): DryRunPreview["preview"] => ({
  method: endpoint.method,
  path: encode(endpoint, input).target,
  body: endpoint.body ? masked(endpoint.body, input.body) : null,
});

const masked = (schema: NonNullable<Endpoint["body"]>, body: unknown): unknown => {
  if (typeof body !== "object" || body === null) return body;
  const members = membersOf(schema);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const member = members[name];
      return [name, member ? shown(factsOf(member).kind, value) : value];
    }),
  );
};

/** Masks secrets, and the bytes of a file, which say nothing to a person. */
const shown = (kind: FieldFacts["kind"], value: unknown): unknown => {
  if (kind === "secret") return "***";
  if (kind !== "content" || typeof value !== "string") return value;
  return `<${Buffer.byteLength(value, "base64")} bytes>`;
};
