/** What pages load from the sandbox beside themselves. */

import clock from "./assets/clock.browser.js";
import live from "./assets/live.browser.js";
import panels from "./assets/panels.css";
import phones from "./assets/phones.css";
import style from "./assets/style.css";

interface Asset {
  readonly type: string;
  readonly text: string;
}

/** A speech bubble, in the colours of the pages. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#17494d"/><path d="M8 9h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9l-5 4v-4H8a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z" fill="#fff"/></svg>`;

/** By their file name. */
export const assets: Readonly<Record<string, Asset>> = {
  "style.css": { type: "text/css; charset=utf-8", text: style + phones + panels },
  "script.js": { type: "text/javascript; charset=utf-8", text: `"use strict";\n${live}${clock}` },
  "icon.svg": { type: "image/svg+xml", text: icon },
};
