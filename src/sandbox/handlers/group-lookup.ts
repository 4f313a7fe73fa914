/** From the id of a path to the group that it names. */
import { oldestShown } from "../rules/calendar.ts";
import { Refusal, type Service } from "../service.ts";
import type { GroupRow } from "../store/groups.ts";
import { seqOf } from "../store/ids.ts";

/** Throws Refusal: 404 for an unknown or expired id, 403 for another account's. */
export const groupOf = (groupId: string, { store, caller, now }: Service): GroupRow => {
  const seq = seqOf("G4V", groupId, store.settings.get("idSeed"));
  const group = seq === undefined ? undefined : store.groups.bySeq(seq);
  if (group === undefined || group.created < oldestShown(now)) {
    throw new Refusal(404, "ResourceNotFound", `There is no group '${groupId}'.`);
  }
  if (group.accountId === caller.accountId) return group;
  throw new Refusal(403, "Forbidden", `Group '${groupId}' belongs to another account.`);
};
