/** What the promise across machines assumes of the service, tried with an empty group that is deleted again. */

import type { Client } from "../../client/client.ts";
import { isLocal } from "../../config/settings.ts";
import { createGroup, deleteGroup, readGroup, sendGroup } from "../../contract/groups.ts";
import { unitMs } from "../../contract/time.ts";
import { MsgError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { customField, queryGroups } from "../claims/group-fields.ts";
import { rememberFields } from "../claims/message-fields.ts";
import { serviceTime } from "../run/hours.ts";
import { isRemembered, rememberWhether } from "../store/remembered.ts";

/** Sends nothing and spends nothing: its group holds no message. Throws MsgError. */
export const tryAssumptions = async (ctx: Ports) => {
  const client = await ctx.session.client();
  const mark = Buffer.from(ctx.environment.random(8)).toString("hex");
  const { groupId } = await client.call(createGroup, { body: { customFields: { [field]: mark } } });
  const params = { groupId };
  try {
    const startDate = new Date((await serviceTime(ctx)).getTime() - unitMs.h).toISOString();
    const found = (await queryGroups({ startDate }, client)).find((it) => it.groupId === groupId);
    const group = found ?? (await client.call(readGroup, { params }));
    const isListed = found !== undefined;
    const hasFields = customField(group, field) === mark;
    const isExcluded = await isNeverSent(client, groupId);
    rememberFields(ctx, !hasFields);
    rememberWhether(ctx, failedFile, serviceOf(ctx), !isListed || !isExcluded);
    const fields = hasFields
      ? t`custom fields of groups come back`
      : t`custom fields of groups do not come back: one message of each group is read`;
    return [
      { assumption: t`a list shows a new group at once`, holds: isListed },
      { assumption: fields, holds: true },
      { assumption: t`a group that was deleted is not sent`, holds: isExcluded },
    ];
  } finally {
    await client.call(deleteGroup, { params }).catch(() => undefined);
  }
};

const field = "msg.probe";

/** Whether its own record says so after the deletion, and after a request to send it was refused. */
const isNeverSent = async (client: Client, groupId: string): Promise<boolean> => {
  const params = { groupId };
  await client.call(deleteGroup, { params });
  const isSent = await client.call(sendGroup, { params, body: {} }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof MsgError && error.outcome === "refused") return false;
      throw error;
    },
  );
  const { status } = await client.call(readGroup, { params });
  return !isSent && status === "DELETED";
};

/** Services that did not keep one of them. */
const failedFile = "assumptions.json";

/** By its address, whatever the profile is called; the key of a sandbox on this machine outlasts its port. */
const serviceOf = (ctx: Ports): string => {
  const address = ctx.settings.baseUrl.value;
  const isHere = address === undefined || isLocal(address);
  return isHere ? (signingKeyTail(ctx) ?? "") : address;
};

/** Warns before a run whose rows others may send, if msg doctor has found that it cannot know of them. */
export const noteSingleMachine = async (ctx: Ports): Promise<void> => {
  if (isRemembered(ctx, failedFile, serviceOf(ctx)))
    await ctx.note(
      t`msg doctor --sending failed for this service: each row goes out once from this machine, but may go out more than once if several machines send it`,
    );
};
