/** Pictures of messages, as a page may show them: what they are is read from their bytes. */
import type { Store } from "../store/store.ts";

export interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How files of a type begin. Anything else is not shown: an SVG, for one, may carry a script. */
const beginnings: readonly (readonly [type: string, hex: string])[] = [
  ["image/jpeg", "ffd8ff"],
  ["image/png", "89504e470d0a1a0a"],
  ["image/gif", "474946383961"],
  ["image/gif", "474946383761"],
];

export const picture = (store: Store, accountId: string, fileId: string): Picture | undefined => {
  const body = store.files.body(accountId, fileId);
  if (body === undefined) return undefined;
  const bytes = new Uint8Array(body);
  const begin = Buffer.from(bytes.subarray(0, 8)).toString("hex");
  const type = beginnings.find(([, hex]) => begin.startsWith(hex))?.[0];
  return type === undefined ? undefined : { type, bytes };
};
