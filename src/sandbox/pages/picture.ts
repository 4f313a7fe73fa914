/** Pictures of messages, as a page may show them: what they are is read from their bytes. */

import type { Store } from "../store/store.ts";
import { plain } from "./elements.ts";
import { type Html, html } from "./html.ts";
import { pagesPath, type View } from "./page.ts";

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

const say = {
  picture: { ko: "사진", en: "Picture" },
  missing: { ko: "사진을 찾을 수 없음", en: "There is no such picture" },
} as const;

/** The picture of a message; one that is not stored is said to be missing. */
export const pictureShown = (
  accountId: string,
  fileId: string,
  { store, say: words }: View,
): Html => {
  const file = store.files.read(fileId);
  if (file?.accountId !== accountId || file.type === "DOCUMENT")
    return html`<p class="missing">${words(say.missing)}: ${plain(fileId)}</p>`;
  const size =
    file.width === null || file.height === null
      ? html``
      : html` width="${file.width}" height="${file.height}"`;
  return html`<img class="picture" src="${pagesPath}picture/${accountId}/${fileId}"${size} alt="${words(say.picture)}: ${file.originalName}" loading="lazy">`;
};
