/** The fields of forms that do something: label, value, and what is wrong beside the field. */
import { type Html, html } from "../../markup/html.ts";
import type { Label } from "./language.ts";
import type { View } from "./page.ts";

export interface Field {
  /** The action of its form: two forms of a page may have fields of one name. */
  readonly action: string;
  readonly name: string;
  readonly label: Label;
  /** What it holds before anything was typed. */
  readonly value?: string | undefined;
  /** What to write, under the field. */
  readonly hint?: Label | undefined;
  readonly kind?: "text" | "datetime-local";
  /** Which keyboard a telephone offers. */
  readonly input?: "text" | "decimal" | "tel";
  /** The id of a list of proposals. */
  readonly list?: string;
  /** Class of the whole: fields that only some choices need. */
  readonly only?: string;
}

export type Option = readonly [value: string, title?: Label];

/** A line to type into. */
export const textField = (field: Field, view: View): Html =>
  labelled(field, view, lineOf(field, view));

/** One of a few words. */
export const choiceField = (field: Field, among: readonly Option[], view: View): Html => {
  const chosen = heldBy(field, view);
  return labelled(
    field,
    view,
    html`<select ${attributesOf(field, view)}>${optionsOf(among, chosen, view)}</select>`,
  );
};

/** A length of time, how many and of what; its value is in milliseconds. */
export const durationField = (field: Field, units: readonly Unit[], view: View): Html => {
  const [count, unitOf] = partsOf(field.value, units);
  const unit = { ...field, name: `${field.name}-unit`, value: unitOf };
  return labelled(
    field,
    view,
    html`<div class="row">${lineOf({ ...field, value: count, input: "decimal" }, view)}
<select name="${unit.name}" aria-label="${view.translate("Unit")}">${optionsOf(
      units.map((it) => [it, unitWords[it]] as const),
      heldBy(unit, view),
      view,
    )}</select></div>`,
  );
};

/** In the largest unit of which it is a whole number; the first one where there is no value. */
const partsOf = (
  value: string | undefined,
  units: readonly Unit[],
): readonly [count: string | undefined, unit: Unit | undefined] => {
  const ms = Number(value);
  const unit = units.find((it) => ms > 0 && ms % unitMs[it] === 0) ?? units.at(-1);
  return value === undefined || unit === undefined
    ? [value, units[0]]
    : [String(ms / unitMs[unit]), unit];
};

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** As durations are written: `10m`. */
export type Unit = keyof typeof unitWords;

const unitWords = {
  ms: "milliseconds",
  s: "seconds",
  m: "minutes",
  h: "hours",
  d: "days",
} as const satisfies Readonly<Record<string, Label>>;

const optionsOf = (among: readonly Option[], chosen: string | undefined, view: View): Html[] =>
  among.map(
    ([value, title]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : html``}>${title === undefined ? value : view.translate(title)}</option>`,
  );

const lineOf = (field: Field, view: View): Html => {
  const { kind = "text", input = "text", list } = field;
  return html`<input ${attributesOf(field, view)} type="${kind}" inputmode="${input}" autocomplete="off" value="${heldBy(field, view)}"${
    list === undefined ? html`` : html` list="${list}"`
  }${kind === "datetime-local" ? html` step="1"` : html``}>`;
};

/** What was typed, where this form came back; else what it holds. */
const heldBy = ({ action, name, value }: Field, { submitted }: View): string | undefined =>
  submitted?.action === action ? (submitted.fields.get(name) ?? undefined) : value;

const wrongOf = ({ action, name }: Field, { submitted }: View): Label | undefined =>
  submitted?.action === action ? submitted.errors[name] : undefined;

const idOf = ({ action, name }: Field): string => `${action}-${name}`;

const labelled = (field: Field, view: View, input: Html): Html => {
  const { label, hint, only } = field;
  const wrong = wrongOf(field, view);
  const id = idOf(field);
  return html`<div${only === undefined ? html`` : html` class="${only}"`}>
<label for="${id}">${view.translate(label)}</label>
${input}
${hint === undefined ? html`` : html`<p class="hint" id="${id}-hint">${view.translate(hint)}</p>`}
${wrong === undefined ? html`` : html`<p class="wrong" id="${id}-wrong">${view.translate(wrong)}</p>`}
</div>`;
};

const attributesOf = (field: Field, view: View): Html => {
  const id = idOf(field);
  const isWrong = wrongOf(field, view) !== undefined;
  const described = [field.hint && `${id}-hint`, isWrong && `${id}-wrong`].filter(Boolean);
  const isFirst = isWrong && Object.keys(view.submitted?.errors ?? {})[0] === field.name;
  return html`id="${id}" name="${field.name}"${
    described.length === 0 ? html`` : html` aria-describedby="${described.join(" ")}"`
  }${isWrong ? html` aria-invalid="true"` : html``}${isFirst ? html` autofocus` : html``}`;
};
