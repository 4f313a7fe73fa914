/** The two times, moved by buttons and forms; under them the settings. */
import { clockYears } from "../../contract/bounded.ts";
import { seoulTime, unitMs } from "../../contract/time.ts";
import { type Html, html } from "../../markup/html.ts";
import { actionForm, formatTime } from "./elements.ts";
import { durationField, textField } from "./forms.ts";
import type { Label } from "./language.ts";
import type { Action, Page, View } from "./page.ts";
import { accountForm, behaviourForm, settingsActions } from "./settings.ts";

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
  const value = seoulTime(new Date(view.now)).replace(" ", "T");
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

/** Ten years: beyond that no template, code or schedule has a meaning. */
const furthest = 10 * 365 * 86_400;
const around = {
  from: -furthest,
  until: furthest,
  message: "Enter a number such as 5 or -5.",
} as const;

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
const actions: Readonly<Record<string, Action>> = {
  step: { ...moved, request: ({ text }) => ["PUT", path, { advance: text("step") }] },
  advance: {
    ...moved,
    request: ({ duration }) => ["PUT", path, { advance: duration("by", around) }],
  },
  set: { ...moved, request: ({ required }) => ["PUT", path, { set: required("to") }] },
  reset: {
    ...moved,
    request: (_, { store }) => {
      const offsetMs = store.settings.get("clockOffsetMs");
      return ["PUT", path, { advance: `${0 - offsetMs}ms` }];
    },
  },
  skew: {
    ...skewed,
    request: ({ duration }) => ["PUT", path, { skew: duration("skew", around) }],
  },
  noSkew: { ...skewed, request: () => ["PUT", path, { skew: "0" }] },
  ...settingsActions,
};

export const clock: Page = { name: "clock", title: "Clock and settings", show, actions };
