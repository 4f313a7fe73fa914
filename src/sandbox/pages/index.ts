/** The pages over HTTP: the page of an address, the actions of forms, and the answer. */
import { createHmac, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isSandboxRoute } from "../../contract/endpoint.ts";
import type { Answer } from "../../contract/wire.ts";
import { memberOf } from "../../json/read-json.ts";
import base from "../../markup/base.css";
import { type Clock, timeOf } from "../clock.ts";
import { accountA } from "../fixtures/accounts.ts";
import { readBody } from "../http/body.ts";
import type { HandleRequest } from "../router.ts";
import type { Store } from "../store/store.ts";
import chart from "./assets/chart.css";
import clock from "./assets/clock.browser.js";
import forms from "./assets/forms.css";
import frame from "./assets/frame.css";
import live from "./assets/live.browser.js";
import panels from "./assets/panels.css";
import phones from "./assets/phones.css";
import tables from "./assets/tables.css";
import { picture } from "./bubble.ts";
import { createFormToken, type FormRefusal, formReader, readForm } from "./form-reader.ts";
import { languageCookie, languageOf, translator, withLanguage } from "./language.ts";
import { layout, type Notice, pages } from "./layout.ts";
import {
  type Action,
  addressOf,
  type FormRequest,
  type Page,
  pagesPath,
  securityHeaders,
  type View,
} from "./page.ts";

interface PagesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly handleRequest: HandleRequest;
  /** The token in every form. */
  readonly token: string;
}

/** Answers a request for a page or its assets; undefined if the address names none. */
export const createPages = (served: Omit<PagesOptions, "token">) => {
  const options = { ...served, token: createFormToken() };
  const byPath = new Map(pages.map((page) => [addressOf(page.name), page]));
  return async (incoming: IncomingMessage, url: URL): Promise<Answer | undefined> => {
    const { method } = incoming;
    const page = byPath.get(url.pathname);
    if (page && method === "POST") return receive(incoming, url, page, options);
    if (method !== "GET" && method !== "HEAD") return undefined;
    if (page) return show(viewOf(incoming, url, page, options));
    return url.pathname === "/_sandbox" ? redirect(302, addressOf("")) : fileAt(url, options.store);
  };
};

/** A speech bubble, in the colours of the pages. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#17494d"/><path d="M8 9h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9l-5 4v-4H8a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2z" fill="#fff"/></svg>`;

/** A later rule overrides an earlier one. */
const style = [base, frame, forms, tables, phones, panels, chart].join("");

/** The assets of pages, by file name. */
const assets = new Map([
  ["style.css", { type: "text/css; charset=utf-8", text: style }],
  ["script.js", { type: "text/javascript; charset=utf-8", text: `"use strict";\n${live}${clock}` }],
  ["icon.svg", { type: "image/svg+xml", text: icon }],
]);

/** The files that pages load: scripts, styles, and pictures of messages. */
const fileAt = ({ pathname }: URL, store: Store): Answer | undefined => {
  if (!pathname.startsWith(pagesPath)) return undefined;
  const path = pathname.slice(pagesPath.length);
  const [, accountId = "", fileId = ""] = /^picture\/([^/]*)\/([^/]+)$/.exec(path) ?? [];
  if (fileId !== "") {
    const found = picture(store, accountId, fileId);
    return found === undefined
      ? { status: 404, headers: pageHeaders("text/plain"), body: Buffer.from("404 Not Found") }
      : { status: 200, headers: pageHeaders(found.type), body: found.bytes };
  }
  const asset = assets.get(path);
  return asset && { status: 200, headers: pageHeaders(asset.type), body: Buffer.from(asset.text) };
};

const sources = ["script-src 'self'", "img-src 'self'", "connect-src 'self'", "form-action 'self'"];

const pageHeaders = (type: string): Record<string, string> => ({
  "content-type": type,
  ...securityHeaders(...sources),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

const redirect = (status: number, location: string): Answer => ({
  status,
  headers: { location },
  body: new Uint8Array(),
});

const viewOf = (
  incoming: IncomingMessage,
  url: URL,
  page: Page,
  { store, clock, token }: PagesOptions,
): View => {
  const query = new URLSearchParams(url.search);
  const language = languageOf(query, incoming.headers);
  const isLanguageChosen = query.get("lang") === language;
  query.delete("lang");
  return {
    store,
    idSeed: store.settings.get("idSeed"),
    now: clock.read().business,
    language,
    isLanguageChosen,
    translate: translator(language),
    page,
    query,
    token,
  };
};

const show = (view: View): Promise<Answer> => {
  const done = view.page.actions?.[view.query.get("said") ?? ""]?.done;
  view.query.delete("said");
  return render(view, done && { kind: "done", text: view.translate(done) });
};

/** Runs a form's action, if the form belongs to this page. */
const receive = async (
  incoming: IncomingMessage,
  url: URL,
  page: Page,
  options: PagesOptions,
): Promise<Answer> => {
  const form = readForm(await readBody(incoming, maxFormBytes), incoming.headers, options.token);
  const view = viewOf(incoming, url, page, options);
  if ("status" in form) return refused(view, form);
  const { fields } = form;
  const name = fields.get("action") ?? "";
  const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined;
  if (action === undefined)
    return refused(view, { status: 400, why: "This page has no such action." });
  const reader = formReader(fields);
  const request = action.request(reader, view);
  const again: View = { ...view, submitted: { action: name, fields, errors: reader.errors } };
  if (Object.keys(reader.errors).length > 0)
    return refused(again, { status: 422, why: "Check the marked fields." });
  const { status, body } = await send(request, options);
  // Reloading the page after this does not send the form again.
  const shown = { ...Object.fromEntries(view.query), said: name };
  if (status < 400) return redirect(303, addressOf(page.name, shown));
  const reply = JSON.parse(Buffer.from(body).toString());
  return render(again, { kind: "refused", text: reasonOf(reply, action, view) }, status);
};

/** Forms use the same door as the commands: bytes, in one transaction. */
const send = (
  [method, target, content]: FormRequest,
  { handleRequest, store, clock }: PagesOptions,
): Answer | Promise<Answer> => {
  const body = content === undefined ? undefined : Buffer.from(JSON.stringify(content));
  const headers = {
    "content-type": "application/json",
    ...(!isSandboxRoute({ path: target }) && {
      authorization: signatureOf(store, clock.read().signing),
    }),
  };
  return handleRequest({ method, target, headers, body, address: "127.0.0.1" }).answer;
};

/** The header that authenticates a request of the first account's owner. */
const signatureOf = (store: Store, now: number): string => {
  const owner = store.callers.keys().find((it) => it.accountId === accountA);
  const [date, salt] = [timeOf(now), randomBytes(16).toString("hex")];
  const hmac = createHmac("sha256", owner?.secret ?? "").update(date + salt);
  return `HMAC-SHA256 apiKey=${owner?.key}, date=${date}, salt=${salt}, signature=${hmac.digest("hex")}`;
};

/** Longer than any form of a page. */
const maxFormBytes = 65_536;

const render = async (view: View, notice: Notice | undefined, status = 200): Promise<Answer> => {
  const headers = pageHeaders("text/html; charset=utf-8");
  if (view.isLanguageChosen)
    headers["set-cookie"] =
      `${languageCookie}=${view.language}; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000`;
  const { text } = await withLanguage(view.language, () => layout(view, notice));
  return { status, headers, body: Buffer.from(text) };
};

const refused = (view: View, { status, why }: FormRefusal): Promise<Answer> =>
  render(view, { kind: "refused", text: view.translate(why) }, status);

/**
 * Why a control route refused, in the language of the page. A code without a text in the action comes
 * from a form changed by hand: then the route's own English sentence is shown.
 */
const reasonOf = (reply: unknown, { refused: known = {} }: Action, view: View): string => {
  const code = String(memberOf(reply, "errorCode") ?? "");
  const word = Object.hasOwn(known, code) ? known[code] : undefined;
  if (word) return view.translate(word);
  return view.language === "en"
    ? String(memberOf(reply, "errorMessage") ?? "")
    : `${view.translate("The sandbox responds")}: ${code}`;
};
