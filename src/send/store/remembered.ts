/** Small files of the state folder: what commands have found out, and would find out again. */
import { join } from "node:path";
import * as v from "valibot";
import { ensurePrivateDir, writeAtomically } from "../../durable/atomic-write.ts";
import { quietly } from "../../durable/files.ts";
import { readJson } from "../../json/read-json.ts";
import type { Ports } from "../../ports.ts";
import { storeOf } from "./run-folder.ts";

/** Undefined if there is none, or it cannot be read. */
const readRemembered = ({ environment }: Ports, file: string): unknown => {
  const path = join(environment.stateFolder(), file);
  return quietly(() => readJson(environment.files.read(path)));
};

/** Throws MsgError (usage) if it cannot be written. */
const remember = (ctx: Ports, file: string, value: unknown): void => {
  const store = storeOf(ctx);
  const folder = ctx.environment.stateFolder();
  ensurePrivateDir(store.files, folder, store.user);
  const text = Buffer.from(`${JSON.stringify(value)}\n`);
  writeAtomically(store.files, join(folder, file), text, store);
};

const names = v.fallback(v.array(v.string()), []);

/** Whether a name is in the list that the file holds. */
export const isRemembered = (ctx: Ports, file: string, name: string): boolean =>
  v.parse(names, readRemembered(ctx, file)).includes(name);

/** Puts the name into the list, or takes it out. Throws as `remember` does. */
export const rememberWhether = (ctx: Ports, file: string, name: string, isIn: boolean): void => {
  const known = v.parse(names, readRemembered(ctx, file));
  const others = known.filter((it) => it !== name);
  if (known.includes(name) !== isIn) remember(ctx, file, isIn ? [...others, name] : others);
};
