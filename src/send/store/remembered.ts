/** Small files of the state folder: what commands have found out, and would find out again. */
import { join } from "node:path";
import * as v from "valibot";
import { ensurePrivateDir, writeAtomically } from "../../durable/atomic-write.ts";
import { quietly } from "../../durable/files.ts";
import { readJson } from "../../json/read-json.ts";
import type { Ports } from "../../ports.ts";
import { storeOf } from "./run-folder.ts";

const names = v.fallback(v.array(v.string()), []);

/** Empty if there is no such list, or it cannot be read. */
const readNames = ({ environment }: Ports, file: string): readonly string[] => {
  const path = join(environment.stateFolder(), file);
  return v.parse(
    names,
    quietly(() => readJson(environment.files.read(path))),
  );
};

/** Whether a name is in the list that the file holds. */
export const isRemembered = (ctx: Ports, file: string, name: string): boolean =>
  readNames(ctx, file).includes(name);

/** Puts the name into the list, or takes it out. Throws MsgError (usage) if it cannot be written. */
export const rememberWhether = (ctx: Ports, file: string, name: string, isIn: boolean): void => {
  const known = readNames(ctx, file);
  if (known.includes(name) === isIn) return;
  const others = known.filter((it) => it !== name);
  const store = storeOf(ctx);
  const folder = ctx.environment.stateFolder();
  ensurePrivateDir(store.files, folder, store.user);
  const text = Buffer.from(`${JSON.stringify(isIn ? [...others, name] : others)}\n`);
  writeAtomically(store.files, join(folder, file), text, store);
};
