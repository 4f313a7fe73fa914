/** Faults: common ones as switches, any other by a form, and the active ones. */
import { contract } from "../../contract/index.ts";
import { type FaultKind, maxDelayMs } from "../../contract/sandbox-state.ts";
import { type Html, html } from "../../markup/html.ts";
import { faultRecord } from "../controls/faults.ts";
import { actionForm, type Column, formatCount, isolate, tableOf } from "./elements.ts";
import { choiceField, durationField, textField } from "./forms.ts";
import { formatNumber, type Label } from "./language.ts";
import type { Action, Page, View } from "./page.ts";

/** What a fault does, as `msg sandbox fault add --do` names it. */
const effects: Readonly<Record<FaultKind, Label>> = {
  "drop-after": "Done, then the connection breaks",
  "drop-before": "Not done: the connection breaks first",
  truncate: "Done, but the response is cut off",
  garbage: "Done, but the response is a web page",
  "rate-limit": "Refused as too many requests (429)",
  status: "Refused with a status",
  delay: "Done, but the response is late",
};
const kinds: ReadonlyMap<string, Label> = new Map(Object.entries(effects));

/** Switches; `listed` is the effect as the list of faults spells it. */
const presets: readonly (readonly [on: string, effect: string, label: Label, listed?: string])[] = [
  ["POST /messages/v4/*", "drop-after", "Messages go out, the response gets lost"],
  ["POST /messages/v4/*", "drop-before", "Requests never reach the service"],
  ["* *", "status:503", "The service is down (503)"],
  ["* *", "rate-limit", "Too many requests (429)"],
  ["* *", "delay:2s", "Every response is 2 seconds late", "delay:2000ms"],
];

type Fault = ReturnType<typeof faultRecord>;

const show = (view: View): Html => {
  const { translate } = view;
  const active = view.store.faults.all().map(faultRecord);
  return html`<p>${translate("Makes requests fail on purpose. A fault applies to every request from the moment it is on.")}</p>
<section class="panel" aria-labelledby="common"><h2 id="common">${translate("Common faults")}</h2>
<ul class="switches" id="switches" data-live>${presets.map(
    (it, at) => html`
<li id="switch-${at}">${presetSwitch(it, active, view)}</li>`,
  )}</ul>
</section>
<section class="panel" aria-labelledby="active"><h2 id="active">${translate("Active")}</h2>
<div id="active-faults" data-live>${active.length === 0 ? html`<p class="empty">${translate("No fault is switched on.")}</p>` : table(active, view)}</div>
</section>
${addForm(view)}`;
};

/** On if such a fault is on without a limit: only that stays until it is switched off. */
const presetSwitch = (
  [on, effect, label, listed = effect]: (typeof presets)[number],
  active: readonly Fault[],
  view: View,
): Html => {
  const found = active.find(
    (it) => it.on === on && it.do === listed && it.timesLeft === null && it.probability === null,
  );
  return actionForm(
    view,
    found ? "off" : "on",
    html`<input type="hidden" name="on" value="${on}"><input type="hidden" name="do" value="${effect}"><input type="hidden" name="faultId" value="${found?.faultId}">
<button class="switch" role="switch" aria-checked="${found !== undefined}"><span class="track" aria-hidden="true"></span><span>${view.translate(label)}</span> <code>${formatTarget(on)} · ${effect}</code> <span class="quiet small" aria-hidden="true">${view.translate(found ? "On" : "Off")}</span></button>`,
  );
};

/** Shows every method and path as one star, as it may be written. */
const formatTarget = (on: string): string => (on === "* *" ? "*" : on);

const table = (rows: readonly Fault[], view: View): Html => {
  const { translate } = view;
  const allOff = html`<p class="after"><button class="second">${translate("Switch all off")}</button></p>`;
  const columns: readonly Column<Fault>[] = [
    { head: "Request", cell: ({ on }) => html`<code>${isolate(formatTarget(on))}</code>` },
    { head: "What happens", cell: (it) => effectShown(it.do, view) },
    {
      head: "Times left",
      cell: ({ timesLeft }) =>
        timesLeft === null ? translate("No limit") : formatNumber(timesLeft),
    },
    {
      head: "Probability (%)",
      cell: ({ probability }) =>
        probability === null ? translate("Always") : `${percent(probability)} %`,
    },
    { head: "Count", cell: ({ happened }) => formatNumber(happened) },
    { head: "Switch off", cell: (it) => offButton(it, view) },
  ];
  return html`${tableOf({ columns, rows, rowId: ({ faultId }) => `fault-${faultId}` }, view)}
${actionForm(view, "allOff", allOff)}`;
};

const effectShown = (effect: string, view: View): Html => {
  const word = kinds.get(effect.split(":")[0] ?? "");
  return html`<span><code>${effect}</code> <span class="quiet small">${word && view.translate(word)}</span></span>`;
};

const offButton = (it: Fault, view: View): Html =>
  actionForm(
    view,
    "off",
    html`<input type="hidden" name="faultId" value="${it.faultId}"><button class="second" aria-label="${view.translate("Switch off")}: ${it.on} ${it.do}">${view.translate("Switch off")}</button>`,
  );

const percent = (probability: number): string => String(Number((probability * 100).toFixed(2)));

const methods = ["GET", "POST", "PUT", "DELETE"] as const;

/** Paths of the service, with `*` for what differs from request to request. */
const paths = (): string[] => {
  const all = Object.values(contract).map((it) => it.path.replaceAll(/:[A-Za-z]+/g, "*"));
  return [...new Set(all)].sort();
};

const addForm = (view: View): Html => {
  const action = "add";
  const fields = html`<div class="fields">
${choiceField({ action, name: "method", label: "Method" }, [["*", "Any"], ...methods.map((it) => [it] as const)], view)}
${textField({ action, name: "path", label: "Path", value: "/messages/v4/*", hint: "* stands for any characters, as in /messages/v4/*", list: "paths", only: "broad" }, view)}
${choiceField({ action, name: "kind", label: "What happens", only: "broad" }, [...kinds], view)}
${textField({ action, name: "status", label: "Status code", value: "503", hint: "400 to 599", only: "for-status" }, view)}
${durationField({ action, name: "delay", label: "How late", value: "2000", only: "for-delay" }, ["m", "s", "ms"], view)}
${textField({ action, name: "times", label: "Times", hint: "Unlimited if empty.", input: "decimal" }, view)}
${textField({ action, name: "chance", label: "Probability (%)", hint: "Always if empty.", input: "decimal" }, view)}
</div>
<datalist id="paths">${paths().map((it) => html`<option value="${it}"></option>`)}</datalist>
<p class="after"><button>${view.translate("Switch on")}</button></p>`;
  return html`<section class="panel" aria-labelledby="add-fault"><h2 id="add-fault">${view.translate("Add a fault")}</h2>
${actionForm(view, action, fields)}</section>`;
};

const lateness = {
  from: 0.001,
  until: maxDelayMs,
  maxMs: maxDelayMs,
  message: "Enter a time from 1 millisecond to 1 day.",
} as const;

const add: Action["request"] = (form) => {
  const path = form.required("path") ?? "*";
  const kind = form.text("kind") ?? "";
  let amount: number | string | undefined;
  if (kind === "status") amount = form.number("status", { from: 400, until: 599 });
  if (kind === "delay") amount = form.duration("delay", lateness);
  const times = form.number("times", { from: 1, until: 1_000_000, isOptional: true });
  const percents = { from: 0.01, until: 100, isFraction: true, isOptional: true } as const;
  const chance = form.number("chance", percents);
  if (!/^(\/\S*|\*)$/.test(path)) form.wrong("path", "It begins with / or * and has no blanks.");
  const fault = {
    on: `${form.text("method") ?? "*"} ${path}`,
    do: amount === undefined ? kind : `${kind}:${amount}`,
    times,
    ...(chance !== undefined && { probability: chance / 100 }),
  };
  return ["POST", "/_sandbox/faults", fault];
};

export const faults: Page = {
  name: "faults",
  title: "Faults",
  count: ({ store }) => formatCount(store.faults.all().length),
  show,
  actions: {
    on: {
      done: "The fault was switched on.",
      request: ({ text }) => ["POST", "/_sandbox/faults", { on: text("on"), do: text("do") }],
    },
    off: {
      done: "The fault was switched off.",
      request: ({ text }) => [
        "DELETE",
        `/_sandbox/faults?faultId=${encodeURIComponent(text("faultId") ?? "")}`,
      ],
    },
    allOff: {
      done: "All faults were switched off.",
      request: () => ["DELETE", "/_sandbox/faults"],
    },
    add: { done: "The fault was switched on.", request: add },
  },
};
