import { expect, test } from "vitest";
import { type Endpoint, pathParams } from "../../../src/contract/endpoint.ts";
import * as channels from "../../../src/contract/kakao.ts";
import * as templates from "../../../src/contract/kakao.ts";
import { openEnv } from "../environment.ts";
import { errorCodeOf } from "../replies.ts";
import { tokenVerdict } from "../verdict.ts";

const endpoints: readonly Endpoint[] = [
  templates.createTemplate,
  templates.updateTemplate,
  templates.commentTemplate,
  templates.hideTemplate,
  templates.requestReview,
  templates.deleteTemplate,
  templates.listTemplates,
  templates.getTemplate,
  channels.listCategories,
  channels.requestLinkToken,
  channels.linkChannel,
  channels.listChannels,
  channels.getChannel,
  channels.unlinkChannel,
];

/** The first column of the row that refuses each caller of the fixtures. */
const refusals = {
  2: () => undefined,
  3: ({ needs }: Endpoint) => (needs.role?.endsWith(":write") ? "Forbidden" : undefined),
  4: ({ needs }: Endpoint) => (needs.authentication ? "AccountNotAuthenticated" : undefined),
  5: ({ needs }: Endpoint) => (needs.account ? "InactiveAccount" : undefined),
  6: () => "DeletedAccount",
  7: () => "InvalidAPIKey",
  8: ({ needs }: Endpoint) => (needs.member ? "UnverifiedMember" : undefined),
  9: ({ needs }: Endpoint) => (needs.member ? "InactiveMember" : undefined),
} as const;
const keys = [2, 3, 4, 5, 6, 7, 8, 9] as const;
const permissions = new Set(keys.flatMap((key) => endpoints.map((it) => refusals[key](it))));

test.each(endpoints.map((it) => [`${it.method} ${it.path}`, it] as const))(
  "%s: its permission row decides for every caller",
  async (_name, endpoint) => {
    const env = await openEnv();
    const path = pathParams(endpoint.path).reduce(
      (it, name) => it.replace(`:${name}`, "none"),
      endpoint.path,
    );
    for (const key of keys) {
      const body = endpoint.body && {};
      const told = await env.call(endpoint.method, path, body, key);
      const refused = permissions.has(errorCodeOf(told)) ? errorCodeOf(told) : undefined;
      expect([key, refused]).toEqual([key, refusals[key](endpoint)]);
    }
  },
);

test.each(endpoints.map((it) => [`${it.method} ${it.path}`, it] as const))(
  "%s: a token needs the scope of the row, and no other",
  (_name, endpoint) => {
    const [area] = (endpoint.needs.scope ?? "").split(":");
    for (const access of ["read", "write"]) {
      const scope = `${area}:${access}`;
      const allowed = endpoint.needs.scope === scope ? "ok" : "401 Unauthorized";
      expect([scope, tokenVerdict(endpoint, [scope, "message:write"])]).toEqual([scope, allowed]);
    }
    expect(tokenVerdict(endpoint, [])).toBe("401 Unauthorized");
  },
);
