/** A page of the sandbox: its name, its text, what it shows and what its forms do. */
import type { Language } from "../../locale/locale.ts";
import type { Html } from "../../markup/html.ts";
import type { Store } from "../store/store.ts";
import type { FieldErrors, FormReader } from "./form-reader.ts";
import type { Label } from "./language.ts";

/** The input of a page. A page only reads; its forms use the control routes. */
export interface View {
  readonly store: Store;
  readonly idSeed: number;
  /** Service time. */
  readonly now: number;
  readonly language: Language;
  /** The address names the language, which the browser should keep. */
  readonly isLanguageChosen: boolean;
  readonly translate: (label: Label) => string;
  readonly page: Page;
  /** The query of the page, without the language. */
  readonly query: URLSearchParams;
  /** Created for this start of the server; a form without it is refused. */
  readonly token: string;
  /** The rejected form, so that the typed values stay, and the problems of its fields. */
  readonly submitted?: {
    readonly action: string;
    readonly fields: URLSearchParams;
    readonly errors: FieldErrors;
  };
}

/** A request with a JSON body to a control route, or to the service itself as its first owner. */
export type FormRequest = readonly [method: string, path: string, body?: unknown];

export interface Action {
  /** Shown when it was done. */
  readonly done: Label;
  /** Why the control route refused, by its errorCode: its own sentence is for clients. */
  readonly refused?: Readonly<Record<string, Label>>;
  /** What the form asks for; not sent if the reader noted an error. */
  readonly request: (form: FormReader, view: View) => FormRequest;
}

export interface Page {
  /** Last part of the address; empty for the first page. */
  readonly name: string;
  readonly title: Label;
  /** Shown next to the name in the navigation. */
  readonly count?: (view: View) => string;
  readonly show: (view: View) => Html;
  /** By the value of the button that sends the form. */
  readonly actions?: Readonly<Record<string, Action>>;
}

/** The path of the pages: `/_sandbox/` is the first one. */
export const pagesPath = "/_sandbox/pages/";

/** The address of a page with its query; omitted values are not in it. */
export const addressOf = (
  page: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  const path = page === "" ? "/_sandbox/" : `${pagesPath}${page}`;
  return query.size === 0 ? path : `${path}?${query}`;
};

/**
 * Nothing from elsewhere is loaded, framed or sent to: a page must not be a way into the sandbox. `more` says
 * what a page loads besides its style, and where its forms lead.
 */
export const securityHeaders = (...more: readonly string[]) => ({
  "content-security-policy": [
    "default-src 'none'",
    "style-src 'self'",
    ...more,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "cache-control": "no-store",
  // With no-referrer a browser would send forms with Origin: null, and they would be refused.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
});
