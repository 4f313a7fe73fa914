/** What a page of the sandbox is: its name, its words, what it shows and what its forms do. */
import type { Html } from "../../markup/html.ts";
import type { Store } from "../store/store.ts";
import type { Label, Language } from "./language.ts";

/** What a page is made from. Reading is all that a page does; its forms go by the control routes. */
export interface View {
  readonly store: Store;
  /** What ids follow from. */
  readonly idSeed: number;
  /** Service time. */
  readonly now: number;
  readonly language: Language;
  /** The address names the language, which the browser is to keep. */
  readonly isLanguageChosen: boolean;
  readonly translate: (label: Label) => string;
  readonly page: Page;
  /** What the page is asked for, without the language. */
  readonly query: URLSearchParams;
  /** Made for this start of the server; a form without it is refused. */
  readonly token: string;
  /** The form that was not accepted, so that what was typed stays, and what is wrong with its fields. */
  readonly submitted?: {
    readonly action: string;
    readonly fields: URLSearchParams;
    readonly errors: FieldErrors;
  };
}

/** What is wrong with a field, by its name. */
export type FieldErrors = Readonly<Record<string, Label>>;

/** What the sandbox answered to a form. */
interface ControlReply {
  readonly status: number;
  readonly reply: unknown;
}

/** Calls a control route, or the service itself as its first owner, with a body that is sent as JSON. */
export type Control = (method: string, path: string, body?: unknown) => Promise<ControlReply>;

export interface Action {
  /** Shown when it was done. */
  readonly done: Label;
  /** Why the control route refused, by its errorCode: what it says itself is for clients. */
  readonly refused?: Readonly<Record<string, Label>>;
  /** Answers what is wrong with the fields where they cannot be sent. */
  readonly run: (
    fields: URLSearchParams,
    control: Control,
  ) => Promise<ControlReply | { readonly errors: FieldErrors }>;
}

export interface Page {
  /** Last part of the address; empty for the first page. */
  readonly name: string;
  readonly title: Label;
  /** Stands beside the name in the navigation. */
  readonly count?: (view: View) => string;
  readonly show: (view: View) => Html;
  /** By the value of the button that sends the form. */
  readonly actions?: Readonly<Record<string, Action>>;
}

/** Where pages live: `/_sandbox/` is the first one. */
export const pagesPath = "/_sandbox/pages/";

/** The address of a page, with what it is asked for; values that are left out are not in it. */
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
 * what a page loads beside its style, and where its forms lead.
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
