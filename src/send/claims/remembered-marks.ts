/** Which accounts get groups back without their fields, as an earlier run on this machine has found out. */

import { join } from "node:path";
import * as v from "valibot";
import type { Client } from "../../client/client.ts";
import { ensurePrivateDir, writeAtomically } from "../../durable/atomic-write.ts";
import { quietly } from "../../durable/files.ts";
import type { Ports } from "../../ports.ts";
import { signingKeyTail } from "../../session/stored-credentials.ts";
import { storeOf } from "../store/run-store.ts";
import { createMarks, type GroupMarks } from "./group-marks.ts";

/** What groups say, or their messages: without a record of this machine the first run finds it out again. */
export const marksOf = (ctx: Ports, client: Client, isReader = false): GroupMarks => {
  const own = accountOf(ctx);
  const accounts = readAccounts(ctx);
  return createMarks({
    ...{ client, isReader },
    areMissing: accounts.includes(own),
    remember: (areMissing) => rememberMarks(ctx, areMissing),
  });
};

export const rememberMarks = (ctx: Ports, areMissing: boolean): void => {
  const own = accountOf(ctx);
  const accounts = readAccounts(ctx);
  if (accounts.includes(own) === areMissing) return;
  const others = accounts.filter((it) => it !== own);
  const store = storeOf(ctx);
  // It is only a cache: a disk that is full stops nothing.
  quietly(() => {
    ensurePrivateDir(store.files, ctx.environment.stateFolder(), store.user);
    const text = JSON.stringify(areMissing ? [...others, own] : others);
    writeAtomically(store.files, fileOf(ctx), Buffer.from(`${text}\n`), store);
  });
};

/** An account may have several keys: each finds it out for itself. */
const accountOf = (ctx: Ports): string =>
  [ctx.settings.profile.value, ctx.settings.baseUrl.value ?? "", signingKeyTail(ctx) ?? ""].join(
    " ",
  );

const fileOf = (ctx: Ports): string => join(ctx.environment.stateFolder(), "group-fields.json");

const readAccounts = (ctx: Ports): readonly string[] =>
  quietly(() => {
    const text = Buffer.from(storeOf(ctx).files.read(fileOf(ctx))).toString("utf8");
    return v.parse(v.array(v.string()), JSON.parse(text));
  }) ?? [];
