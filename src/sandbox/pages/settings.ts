/** Forms for what an account holds and how the sandbox behaves. */
import { dayMs } from "../../contract/time.ts";
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import { accountChoice, actionForm, chosenAccount } from "./elements.ts";
import { choiceField, durationField, textField } from "./forms.ts";
import type { Action, View } from "./page.ts";

const amounts = ["balance", "point", "quota"] as const;

export const accountForm = (view: View): Html => {
  const action = "account";
  const accountId = chosenAccount(view);
  const account = view.store.accounts.get(accountId);
  const held = (name: (typeof amounts)[number]): string => String(account[name]);
  // A returned form holds the typed values; its initial values come back with it.
  const entered = view.submitted?.action === action ? view.submitted.fields : undefined;
  const fields = html`<input type="hidden" name="accountId" value="${accountId}">${amounts.map((it) => html`<input type="hidden" name="was-${it}" value="${entered?.get(`was-${it}`) ?? held(it)}">`)}<div class="fields">
${textField({ action, name: "balance", label: "Balance (won)", value: held("balance"), input: "decimal" }, view)}
${textField({ action, name: "point", label: "Points", value: held("point"), input: "decimal" }, view)}
${textField({ action, name: "quota", label: "Daily limit", value: held("quota"), input: "decimal" }, view)}
${textField({ action, name: "sender", label: "Register a sender number", hint: "None if empty.", input: "tel" }, view)}
</div><p class="after"><button>${view.translate("Save")}</button></p>`;
  const parameters = accountId === accountA ? {} : { account: accountId };
  return html`<section class="panel" aria-labelledby="account-title"><h2 id="account-title">${view.translate("Account")}</h2>
${accountChoice(view)}
${actionForm(view, action, fields, parameters)}</section>`;
};

const changeAccount: Action["request"] = (form) => {
  const changed: Record<string, number | undefined> = {};
  for (const name of amounts) {
    const value = form.number(name, { from: 0, until: 1_000_000_000_000 });
    // An untouched value may have changed since: it is not written back.
    if (String(value) !== form.text(`was-${name}`)) changed[name] = value;
  }
  const sender = form.phone("sender", { isOptional: true });
  return ["PUT", "/_sandbox/settings", { accountId: form.text("accountId"), ...changed, sender }];
};

export const behaviourForm = (view: View): Html => {
  const action = "behaviour";
  const { settings } = view.store;
  const tick = String(settings.get("tickMs"));
  const rate = String(settings.get("rateLimit") ?? 0);
  const factor = { action, name: "factor", value: settings.get("secondFactor") } as const;
  const fields = html`<div class="fields">
${durationField({ action, name: "tick", label: "Time of each delivery step", value: tick }, ["m", "s", "ms"], view)}
${textField({ action, name: "rate", label: "Requests a second of one key", value: rate, hint: "0 for no limit.", input: "decimal" }, view)}
${choiceField({ ...factor, label: "Second factor" }, factorChoices, view)}
</div><p class="after"><button>${view.translate("Save")}</button></p>`;
  return html`<section class="panel" aria-labelledby="behaviour"><h2 id="behaviour">${view.translate("Behaviour")}</h2>
${actionForm(view, action, fields)}</section>`;
};

const factorChoices = [
  ["required", "Required"],
  ["off", "Off"],
] as const;

const saved = { done: "The settings were saved." } as const;

export const settingsActions: Readonly<Record<string, Action>> = {
  behaviour: {
    ...saved,
    request: (form) => [
      "PUT",
      "/_sandbox/settings",
      {
        tick: form.duration("tick", { from: 0, until: dayMs }),
        rateLimit: form.number("rate", { from: 0, until: 1_000_000 }),
        secondFactor: form.text("factor"),
      },
    ],
  },
  account: { ...saved, request: changeAccount },
};
