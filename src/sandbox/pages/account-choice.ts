/** The choice of the account that a page shows. */
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import { option } from "./elements.ts";
import { addressOf, type View } from "./page.ts";

/** The account that the address names; that of the first fixtures if it names none. */
export const chosenAccount = ({ store, query }: View): string => {
  const named = query.get("account") ?? accountA;
  return store.accounts.read(named) === undefined ? accountA : named;
};

/** A form that leads to the same page for another account. */
export const accountChoice = (view: View): Html => {
  const chosen = chosenAccount(view);
  const options = view.store.callers
    .accounts()
    .map(({ accountId, status }) => option(accountId, `${accountId} ${status}`, chosen));
  return html`<form class="beside" action="${addressOf(view.page.name)}"><div><label for="account">${view.translate("Account number")}</label>
<select id="account" name="account">${options}</select></div>
<button class="second">${view.translate("Show")}</button></form>`;
};
