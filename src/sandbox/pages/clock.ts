/** The clock, how the sandbox behaves, and what an account holds: moved by buttons, changed by forms. */
import { clockYears } from "../../contract/bounded.ts";
import { seoulOffsetMs } from "../../contract/time.ts";
import { type Html, html } from "../../markup/html.ts";
import { accountA } from "../fixtures/accounts.ts";
import { formOf, timeShown } from "./elements.ts";
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

const show = (view: View): Html => html`<div class="columns">
<section class="panel" aria-labelledby="business"><h2 id="business">${view.translate("Service time")}</h2>
<p class="quiet small">${view.translate("Schedules, codes, daily quotas and retention go by it. Shown in Korean time (UTC+9).")}</p>
<div id="clock-now" data-live>${businessNow(view)}</div>
${moves(view)}</section>
<section class="panel" aria-labelledby="signing"><h2 id="signing">${view.translate("Signature clock")}</h2>
<p class="quiet small">${view.translate("A request that is signed more than 15 minutes away from it is refused.")}</p>
<div id="signing-now" data-live>${signingNow(view)}</div>
${skews(view)}</section>
${behaviour(view)}
${accountForm(view)}
</div>`;

const businessNow = (view: View): Html =>
  clockFace(view, view.now, view.store.settings.get("clockOffsetMs"));

const signingNow = (view: View): Html => {
  const { settings } = view.store;
  const skewMs = settings.get("signingSkewMs");
  const realMs = view.now.getTime() - settings.get("clockOffsetMs");
  return clockFace(view, new Date(realMs + skewMs), skewMs);
};

/** The script of the pages lets it run on. */
const clockFace = (view: View, at: Date, offsetMs: number): Html =>
  html`<p class="clock" data-clock>${timeShown(at)}</p><p class="quiet small">${offsetShown(offsetMs, view)}</p>`;

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

const unitShown = {
  d: " d",
  h: " h",
  m: " min",
  s: " s",
} as const satisfies Readonly<Record<string, Label>>;

const offsetShown = (offsetMs: number, { translate }: View): string => {
  let rest = Math.round(Math.abs(offsetMs) / 1000) * 1000;
  if (rest === 0) return translate("the same as real time");
  const parts: string[] = [];
  for (const [unit, ms] of units) {
    const count = Math.floor(rest / ms);
    if (count > 0) parts.push(`${count}${translate(unitShown[unit])}`);
    rest -= count * ms;
  }
  return translate([offsetMs > 0 ? "# ahead of real time" : "# behind real time", parts.join(" ")]);
};

const steps = [
  ["1m", "+1 minute"],
  ["1h", "+1 hour"],
  ["1d", "+1 day"],
] as const;

const moves = (view: View): Html => {
  const { translate } = view;
  const buttons = steps.map(
    ([step, word]) => html`<button name="step" value="${step}">${translate(word)}</button>`,
  );
  const now = new Date(view.now.getTime() + seoulOffsetMs).toISOString().slice(0, 19);
  return html`${formOf(view, { page: "clock", action: "step" }, html`<div class="row wrap" role="group" aria-label="${translate("Move the time")}">${buttons}</div>`)}
${formOf(
  view,
  { page: "clock", action: "advance" },
  html`<div class="beside">${durationField({ action: "advance", name: "by", label: "Move by", hint: "A minus sign moves it back." }, ["m", "h", "d", "s"], view)}
<button class="second">${translate("Move")}</button></div>`,
)}
${formOf(
  view,
  { page: "clock", action: "set" },
  html`<div class="beside">${textField({ action: "set", name: "to", label: "Date and time (UTC+9)", value: now, kind: "datetime-local" }, view)}
<button class="second">${translate("Set")}</button></div>`,
)}
${formOf(view, { page: "clock", action: "reset" }, html`<button class="second">${translate("Back to real time")}</button>`)}`;
};

const skews = (view: View): Html => html`${formOf(
  view,
  { page: "clock", action: "skew" },
  html`<div class="beside">${durationField({ action: "skew", name: "skew", label: "Signature clock offset", hint: "A minus sign moves it back." }, ["m", "h", "d", "s"], view)}
<button class="second">${view.translate("Apply")}</button></div>`,
)}
${formOf(view, { page: "clock", action: "noSkew" }, html`<button class="second">${view.translate("No difference")}</button>`)}`;

const behaviour = (view: View): Html => {
  const action = "behaviour";
  const { settings } = view.store;
  const tick = String(settings.get("tickMs"));
  const rate = String(settings.get("rateLimit") ?? 0);
  const factor = settings.get("secondFactor");
  return html`<section class="panel" aria-labelledby="behaviour"><h2 id="behaviour">${view.translate("Behaviour")}</h2>
${formOf(
  view,
  { page: "clock", action },
  html`<div class="fields">
${durationField({ action, name: "tick", label: "Time of each delivery step", value: tick }, ["m", "s", "ms"], view)}
${textField({ action, name: "rate", label: "Requests a second of one key", value: rate, hint: "0 for no limit.", input: "decimal" }, view)}
${choiceField(
  { action, name: "factor", label: "Second factor", value: factor },
  [
    ["required", "Required"],
    ["off", "Off"],
  ],
  view,
)}
</div><p class="after"><button>${view.translate("Save")}</button></p>`,
)}</section>`;
};

/** Ten years: further away no template, no code and no schedule means anything. */
const furthest = 10 * 365 * 86_400;
const around = {
  from: -furthest,
  until: furthest,
  message: "Enter a number such as 5 or -5.",
} as const;

/** Where a move would lead, no field of its own says. */
const refused: Action["refused"] = {
  ValidationError: [
    "The clock must stay between the years # and #.",
    String(clockYears.first),
    String(clockYears.last),
  ],
};

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

const accountForm = (view: View): Html => {
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

const changeAccount: Action["run"] = async (fields, control) => {
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

const actions: Readonly<Record<string, Action>> = {
  step: {
    done: "The time was moved.",
    refused,
    run: (fields, control) => control("PUT", path, { advance: fields.get("step") }),
  },
  advance: {
    done: "The time was moved.",
    refused,
    run: moving("advance", (form) => form.required("by", form.duration("by", around))),
  },
  set: {
    done: "The time was moved.",
    refused,
    run: moving("set", (form) => form.required("to", form.text("to"))),
  },
  reset: {
    done: "The time was moved.",
    refused,
    run: async (_, control) => {
      const { reply } = await control("GET", path);
      return control("PUT", path, { advance: `${0 - offsetIn(reply)}ms` });
    },
  },
  skew: {
    done: "The signature clock was changed.",
    refused,
    run: moving("skew", (form) => form.required("skew", form.duration("skew", around))),
  },
  noSkew: {
    done: "The signature clock was changed.",
    run: (_, control) => control("PUT", path, { skew: "0" }),
  },
  behaviour: {
    done: "The settings were saved.",
    run: async (fields, control) => {
      const form = formReader(fields);
      const body = {
        tick: form.required("tick", form.duration("tick", { from: 0, until: 86_400_000 })),
        rateLimit: form.required("rate", form.number("rate", { from: 0, until: 1_000_000 })),
        secondFactor: form.text("factor"),
      };
      return hasErrors(form) ? form : control("PUT", "/_sandbox/settings", body);
    },
  },
  account: { done: "The settings were saved.", run: changeAccount },
};

const offsetIn = (reply: unknown): number =>
  typeof reply === "object" && reply !== null && "clockOffsetMs" in reply
    ? Number(reply.clockOffsetMs)
    : 0;

export const clock: Page = { name: "clock", title: "Clock and settings", show, actions };
