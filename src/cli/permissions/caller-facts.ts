/** What the sandbox tells of a caller: everything. */
import type { Client } from "../../client/client.ts";
import { listAccounts } from "../../contract/sandbox.ts";
import type { CallerFacts } from "./permissions.ts";

/** Role and statuses behind a key; undefined where the key is disabled. */
export const sandboxCallerFacts = async (
  client: Client,
  apiKey: string,
): Promise<CallerFacts | undefined> => {
  const { keys, accounts } = await client.call(listAccounts, {});
  const key = keys.find((it) => it.key === apiKey);
  const account = accounts.find((it) => it.accountId === key?.accountId);
  if (key?.status !== "ACTIVE") return undefined;
  const role = (["OWNER", "DEVELOPER", "MEMBER"] as const).find((it) => it === key.role);
  return {
    scopes: "key",
    role,
    account: account?.status,
    member: key.memberStatus,
    authenticated: account !== undefined && account.authenticated !== null,
  };
};
