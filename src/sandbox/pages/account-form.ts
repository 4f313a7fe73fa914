/** What an account holds and may: balance, points, daily quota, and one more sender number. */

import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import { formOf } from "./elements.ts";
import { textField } from "./fields.ts";
import { formReader, hasErrors } from "./form-reader.ts";
import type { Action, View } from "./page.ts";
import { addressOf } from "./page.ts";

const action = "account";

/** The account that the page is asked for; that of the first fixtures where it names none. */
export const chosenAccount = ({ store, query }: View): string => {
  const asked = query.get("account") ?? accountA;
  return store.accounts.read(asked) === undefined ? accountA : asked;
};

/** A form that leads to the same page for another account. */
export const accountChoice = (view: View, page: string): Html => {
  const chosen = chosenAccount(view);
  return html`<form class="beside" action="${addressOf(page)}"><div><label for="account">${view.translate("Account number")}</label>
<select id="account" name="account">${view.store.callers
    .accounts()
    .map(
      ({ accountId, status }) =>
        html`<option value="${accountId}"${accountId === chosen ? html` selected` : html``}>${accountId} ${status}</option>`,
    )}</select></div>
<button class="second">${view.translate("Show")}</button></form>`;
};

export const accountForm = (view: View): Html => {
  const accountId = chosenAccount(view);
  const account = view.store.accounts.read(accountId);
  const held = (name: (typeof numbers)[number]): string => String(account?.[name] ?? 0);
  // A form that came back holds what was typed: what it began with comes back beside it.
  const entered = view.submitted?.action === action ? view.submitted.fields : undefined;
  const began = (name: (typeof numbers)[number]): string =>
    entered?.get(`was-${name}`) ?? held(name);
  return html`<section class="panel" aria-labelledby="account-title"><h2 id="account-title">${view.translate("Account")}</h2>
${accountChoice(view, "clock")}
${formOf(
  view,
  { page: "clock", action, asked: { account: accountId === accountA ? undefined : accountId } },
  html`<input type="hidden" name="accountId" value="${accountId}">${numbers.map((it) => html`<input type="hidden" name="was-${it}" value="${began(it)}">`)}<div class="fields">
${textField({ action, name: "balance", label: "Balance (won)", value: held("balance"), input: "decimal" }, view)}
${textField({ action, name: "point", label: "Points", value: held("point"), input: "decimal" }, view)}
${textField({ action, name: "quota", label: "Daily limit", value: held("quota"), input: "decimal" }, view)}
${textField({ action, name: "sender", label: "Register a sender number", hint: "None if empty.", input: "tel" }, view)}
</div><p class="after"><button>${view.translate("Save")}</button></p>`,
)}</section>`;
};

const numbers = ["balance", "point", "quota"] as const;
const amount = { from: 0, until: 1_000_000_000_000 };

export const changeAccount: Action["run"] = async (fields, control) => {
  const form = formReader(fields);
  const sender = form.text("sender")?.replaceAll("-", "");
  const changed: Record<string, number | undefined> = {};
  for (const name of numbers) {
    const value = form.required(name, form.number(name, amount));
    // What was left as it stood may have changed since: it is not put back.
    if (String(value) !== fields.get(`was-${name}`)) changed[name] = value;
  }
  if (hasErrors(form)) return form;
  if (sender !== undefined && !/^\d{8,12}$/.test(sender))
    return { errors: { sender: "A number has 8 to 12 digits." } };
  const accountId = fields.get("accountId") ?? undefined;
  return control("PUT", "/_sandbox/settings", { accountId, ...changed, sender });
};
