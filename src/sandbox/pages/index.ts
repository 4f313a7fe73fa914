/** The pages over HTTP: which page an address names, what a form may do, and the answer. */
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { readBody } from "../body.ts";
import { assets } from "./assets.ts";
import { type FormRefusal, readForm } from "./forms.ts";
import { headersOf } from "./headers.ts";
import { languageCookie, languageOf } from "./language.ts";
import { layout, type Notice } from "./layout.ts";
import { pages } from "./list.ts";
import {
  type Action,
  addressOf,
  type Control,
  type Page,
  pagesPath,
  type View,
  type Wrong,
} from "./page.ts";
import { picture } from "./picture.ts";
import { words } from "./words.ts";

export interface PagesParts {
  readonly store: View["store"];
  /** Business time. */
  readonly now: () => Date;
  readonly control: Control;
  /** What every form carries (form-token.ts). */
  readonly token: string;
}

type Asked = Context<{ Bindings: HttpBindings }>;

const htmlType = "text/html; charset=utf-8";
/** Longer than any form of a page. */
const mostFormBytes = 65_536;

/** Adds the pages to the application. */
export const addPages = (app: Hono<{ Bindings: HttpBindings }>, parts: PagesParts): void => {
  app.get("/_sandbox", (asked) => asked.redirect("/_sandbox/", 302));
  for (const [name, { type, text }] of Object.entries(assets))
    app.get(pagesPath + name, (asked) => asked.body(text, 200, headersOf(type)));
  app.get(`${pagesPath}picture/:accountId/:fileId`, (asked) => {
    const { accountId, fileId } = asked.req.param();
    const found = picture(parts.store, accountId, fileId);
    if (found === undefined) return asked.notFound();
    return asked.body(found.bytes, 200, headersOf(found.type));
  });
  for (const page of pages) {
    app.get(addressOf(page.name), (asked) => show(asked, page, viewOf(asked, parts)));
    app.post(addressOf(page.name), async (asked) => {
      const { incoming } = asked.env;
      const form = readForm(await readBody(incoming, mostFormBytes), incoming.headers, parts.token);
      const view = viewOf(asked, parts);
      return "status" in form
        ? refused(asked, page, view, form)
        : submit({ asked, page, view, fields: form.fields }, parts.control);
    });
  }
};

const viewOf = ({ env: { incoming } }: Asked, parts: PagesParts): View => {
  const query = new URLSearchParams(addressIn(incoming).search);
  const language = languageOf(query, incoming.headers);
  query.delete("lang");
  return {
    store: parts.store,
    now: parts.now(),
    language,
    say: (word) => word[language],
    query,
    token: parts.token,
  };
};

const addressIn = ({ url = "" }: { readonly url?: string | undefined }): URL =>
  new URL(url, "http://sandbox");

const show = (asked: Asked, page: Page, view: View): Response => {
  const done = page.actions?.[view.query.get("said") ?? ""]?.done;
  view.query.delete("said");
  return answer(asked, page, view, done && { kind: "done", text: view.say(done) });
};

interface Submitted {
  readonly asked: Asked;
  readonly page: Page;
  readonly view: View;
  readonly fields: URLSearchParams;
}

const submit = async (
  { asked, page, view, fields }: Submitted,
  control: Control,
): Promise<Response> => {
  const name = fields.get("action") ?? "";
  const action = Object.hasOwn(page.actions ?? {}, name) ? page.actions?.[name] : undefined;
  if (action === undefined) return refused(asked, page, view, { status: 400, why: words.noAction });
  const result = await action.run(fields, control);
  const again = (wrong: Wrong): View => ({ ...view, entered: { action: name, fields, wrong } });
  if ("wrong" in result)
    return refused(asked, page, again(result.wrong), { status: 422, why: words.checkFields });
  // Reloading the page after this does not send the form again.
  const shown = { ...Object.fromEntries(view.query), said: name };
  if (result.status < 400) return asked.redirect(addressOf(page.name, shown), 303);
  const notice = { kind: "refused", text: whyOf(result.reply, action, view) } as const;
  return answer(asked, page, again({}), notice, result.status);
};

const answer = (
  asked: Asked,
  page: Page,
  view: View,
  notice: Notice | undefined,
  status = 200,
): Response => {
  const content = layout({ pages, page, view, notice }, page.show(view));
  const chosen = addressIn(asked.env.incoming).searchParams.get("lang");
  const headers = headersOf(htmlType);
  if (chosen === view.language)
    headers["set-cookie"] =
      `${languageCookie}=${chosen}; HttpOnly; SameSite=Strict; Path=/_sandbox/; Max-Age=31536000`;
  return new Response(content.text, { status, headers });
};

const refused = (asked: Asked, page: Page, view: View, { status, why }: FormRefusal): Response =>
  answer(asked, page, view, { kind: "refused", text: view.say(why) }, status);

/**
 * Why a control route refused, in the language of the page. A code that the action has no words for comes
 * of a form that was changed by hand: there the route's own sentence serves, which is English.
 */
const whyOf = (reply: unknown, { refused: known = {} }: Action, view: View): string => {
  const code = textIn(reply, "errorCode");
  const word = Object.hasOwn(known, code) ? known[code] : undefined;
  if (word) return view.say(word);
  return view.language === "en"
    ? textIn(reply, "errorMessage")
    : `${view.say(words.refusedWith)}: ${code}`;
};

const textIn = (reply: unknown, member: string): string =>
  typeof reply === "object" && reply !== null ? String(Reflect.get(reply, member) ?? "") : "";
