/** The clock, how the sandbox behaves, and what an account holds: moved by buttons, changed by forms. */
import { clockYears } from "../../contract/bounded.ts";
import { dayMs, seoulOffsetMs, unitMs } from "../../contract/time.ts";
import { memberOf } from "../../json/read-json.ts";
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import { actionForm, formatTime, option } from "./elements.ts";
import {
  choiceField,
  durationField,
  type FormReader,
  formReader,
  hasErrors,
  textField,
} from "./forms.ts";
import type { Label } from "./language.ts";
import { type Action, addressOf, type Page, type View } from "./page.ts";

const path = "/_sandbox/clock";

const show = (view: View): Html => {
  const { translate, now, store } = view;
  const offsetMs = store.settings.get("clockOffsetMs");
  const skewMs = store.settings.get("signingSkewMs");
  const signing = now - offsetMs + skewMs;
  return html`<div class="columns">
<section class="panel" aria-labelledby="business"><h2 id="business">${translate("Service time")}</h2>
<p class="quiet small">${translate("Schedules, codes, daily quotas and retention go by it. Shown in Korean time (UTC+9).")}</p>
<div id="clock-now" data-live>${clockFace(view, now, offsetMs)}</div>
${moveForms(view)}</section>
<section class="panel" aria-labelledby="signing"><h2 id="signing">${translate("Signature clock")}</h2>
<p class="quiet small">${translate("A request that is signed more than 15 minutes away from it is refused.")}</p>
<div id="signing-now" data-live>${clockFace(view, signing, skewMs)}</div>
${skewForms(view)}</section>
${behaviourForm(view)}
${accountForm(view)}
</div>`;
};

/** The script of the pages keeps it running. */
const clockFace = (view: View, at: number, offsetMs: number): Html =>
  html`<p class="clock" data-clock>${formatTime(at)}</p><p class="quiet small">${offsetShown(offsetMs, view)}</p>`;

const units = [
  ["d", " d"],
  ["h", " h"],
  ["m", " min"],
  ["s", " s"],
] as const;

const offsetShown = (offsetMs: number, { translate }: View): string => {
  let rest = Math.round(Math.abs(offsetMs) / 1000) * 1000;
  if (rest === 0) return translate("the same as real time");
  const parts: string[] = [];
  for (const [unit, word] of units) {
    const count = Math.floor(rest / unitMs[unit]);
    if (count > 0) parts.push(`${count}${translate(word)}`);
    rest -= count * unitMs[unit];
  }
  return translate([offsetMs > 0 ? "# ahead of real time" : "# behind real time", parts.join(" ")]);
};

const steps = [
  ["1m", "+1 minute"],
  ["1h", "+1 hour"],
  ["1d", "+1 day"],
] as const;

const moveForms = (view: View): Html => {
  const { translate } = view;
  const buttons = steps.map(
    ([step, word]) => html`<button name="step" value="${step}">${translate(word)}</button>`,
  );
  const step = html`<div class="row wrap" role="group" aria-label="${translate("Move the time")}">${buttons}</div>`;
  const by = { action: "advance", name: "by", label: "Move by", hint: minusHint } as const;
  const value = new Date(view.now + seoulOffsetMs).toISOString().slice(0, 19);
  const to = { action: "set", name: "to", label: "Date and time (UTC+9)", value } as const;
  return html`${actionForm(view, "step", step)}
${fieldForm(view, "advance", durationField(by, movedUnits, view), "Move")}
${fieldForm(view, "set", textField({ ...to, kind: "datetime-local" }, view), "Set")}
${actionForm(view, "reset", secondButton("Back to real time", view))}`;
};

const movedUnits = ["m", "h", "d", "s"] as const;
const minusHint = "A minus sign moves it back.";

const skewForms = (view: View): Html => {
  const skew = { action: "skew", name: "skew", label: "Signature clock offset" } as const;
  const field = durationField({ ...skew, hint: minusHint }, movedUnits, view);
  return html`${fieldForm(view, "skew", field, "Apply")}
${actionForm(view, "noSkew", secondButton("No difference", view))}`;
};

/** A field with its button next to it. */
const fieldForm = (view: View, action: string, field: Html, word: Label): Html =>
  actionForm(view, action, html`<div class="beside">${field}\n${secondButton(word, view)}</div>`);

const secondButton = (word: Label, { translate }: View): Html =>
  html`<button class="second">${translate(word)}</button>`;

const behaviourForm = (view: View): Html => {
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

const amounts = ["balance", "point", "quota"] as const;

const accountForm = (view: View): Html => {
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

const changeAccount: Action["run"] = async (fields, control) => {
  const form = formReader(fields);
  const sender = form.text("sender")?.replaceAll("-", "");
  const changed: Record<string, number | undefined> = {};
  for (const name of amounts) {
    const value = form.required(name, form.number(name, { from: 0, until: 1_000_000_000_000 }));
    // An untouched value may have changed since: it is not written back.
    if (String(value) !== fields.get(`was-${name}`)) changed[name] = value;
  }
  if (hasErrors(form)) return form;
  if (sender !== undefined && !/^\d{8,12}$/.test(sender))
    return { errors: { sender: "A number has 8 to 12 digits." } };
  const accountId = fields.get("accountId") ?? undefined;
  return control("PUT", "/_sandbox/settings", { accountId, ...changed, sender });
};

/** Ten years: beyond that no template, code or schedule has a meaning. */
const furthest = 10 * 365 * 86_400;
const around = {
  from: -furthest,
  until: furthest,
  message: "Enter a number such as 5 or -5.",
} as const;

/** Sends one field of a form to the clock. */
const moving =
  (
    name: "advance" | "set" | "skew",
    read: (form: FormReader) => string | undefined,
  ): Action["run"] =>
  async (fields, control) => {
    const form = formReader(fields);
    const value = read(form);
    return hasErrors(form) ? form : control("PUT", path, { [name]: value });
  };

/** No field of its own shows the target of a move. */
const refused: Action["refused"] = {
  ValidationError: [
    "The clock must stay between the years # and #.",
    String(clockYears.first),
    String(clockYears.last),
  ],
};
const moved = { done: "The time was moved.", refused } as const;
const skewed = { done: "The signature clock was changed.", refused } as const;
const saved = { done: "The settings were saved." } as const;

const actions: Readonly<Record<string, Action>> = {
  step: {
    ...moved,
    run: (fields, control) => control("PUT", path, { advance: fields.get("step") }),
  },
  advance: {
    ...moved,
    run: moving("advance", (form) => form.required("by", form.duration("by", around))),
  },
  set: { ...moved, run: moving("set", (form) => form.required("to", form.text("to"))) },
  reset: {
    ...moved,
    run: async (_, control) => {
      const { reply } = await control("GET", path);
      const offsetMs = Number(memberOf(reply, "clockOffsetMs") ?? 0);
      return control("PUT", path, { advance: `${0 - offsetMs}ms` });
    },
  },
  skew: {
    ...skewed,
    run: moving("skew", (form) => form.required("skew", form.duration("skew", around))),
  },
  noSkew: { ...skewed, run: (_, control) => control("PUT", path, { skew: "0" }) },
  behaviour: {
    ...saved,
    run: async (fields, control) => {
      const form = formReader(fields);
      const body = {
        tick: form.required("tick", form.duration("tick", { from: 0, until: dayMs })),
        rateLimit: form.required("rate", form.number("rate", { from: 0, until: 1_000_000 })),
        secondFactor: form.text("factor"),
      };
      return hasErrors(form) ? form : control("PUT", "/_sandbox/settings", body);
    },
  },
  account: { ...saved, run: changeAccount },
};

export const clock: Page = { name: "clock", title: "Clock and settings", show, actions };
