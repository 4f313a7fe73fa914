/** The fields of forms with an action. */
import { unitMs } from "../../contract/time.ts";
import { type Html, html } from "../../markup/html.ts";
import { option } from "./elements.ts";
import type { Label } from "./language.ts";
import type { View } from "./page.ts";

interface Field {
  /** The action of its form: two forms of a page may have fields with the same name. */
  readonly action: string;
  readonly name: string;
  readonly label: Label;
  /** Its value before anything is typed. */
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

export const textField = (field: Field, view: View): Html =>
  labelledField(field, view, inputOf(field, view));

export const choiceField = (field: Field, among: readonly Option[], view: View): Html => {
  const options = optionsOf(among, currentValue(field, view), view);
  return labelledField(field, view, html`<select ${attributesOf(field, view)}>${options}</select>`);
};

/** A duration, as a number and a unit; its value is in milliseconds. */
export const durationField = (field: Field, units: readonly Unit[], view: View): Html => {
  const [count, unitOf] = partsOf(field.value, units);
  const unit = { ...field, name: `${field.name}-unit`, value: unitOf };
  const among = units.map((it): Option => [it, unitWords[it]]);
  const input = html`<div class="row">${inputOf({ ...field, value: count, input: "decimal" }, view)}
<select name="${unit.name}" aria-label="${view.translate("Unit")}">${optionsOf(among, currentValue(unit, view), view)}</select></div>`;
  return labelledField(field, view, input);
};

/** In the largest unit of which it is a whole number; the first one if there is no value. */
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
  among.map(([value, title]) => option(value, title ? view.translate(title) : value, chosen));

const inputOf = (field: Field, view: View): Html => {
  const { kind = "text", input = "text", list } = field;
  return html`<input ${attributesOf(field, view)} type="${kind}" inputmode="${input}" autocomplete="off" value="${currentValue(field, view)}"${
    list && html` list="${list}"`
  }${kind === "datetime-local" ? html` step="1"` : ""}>`;
};

/** The typed value if this form came back, else its initial value. */
const currentValue = ({ action, name, value }: Field, { submitted }: View): string | undefined =>
  submitted?.action === action ? (submitted.fields.get(name) ?? undefined) : value;

const errorOf = ({ action, name }: Field, { submitted }: View): Label | undefined =>
  submitted?.action === action ? submitted.errors[name] : undefined;

const idOf = ({ action, name }: Field): string => `${action}-${name}`;

const labelledField = (field: Field, view: View, input: Html): Html => {
  const { label, hint, only } = field;
  const wrong = errorOf(field, view);
  const id = idOf(field);
  return html`<div${only && html` class="${only}"`}>
<label for="${id}">${view.translate(label)}</label>
${input}
${hint && html`<p class="hint quiet small" id="${id}-hint">${view.translate(hint)}</p>`}
${wrong && html`<p class="wrong" id="${id}-wrong">${view.translate(wrong)}</p>`}
</div>`;
};

const attributesOf = (field: Field, view: View): Html => {
  const id = idOf(field);
  const isWrong = errorOf(field, view) !== undefined;
  const described = [field.hint && `${id}-hint`, isWrong && `${id}-wrong`].filter(Boolean);
  const { fields, errors = {} } = view.submitted ?? {};
  const isFirst = isWrong && [...(fields?.keys() ?? [])].find((it) => errors[it]) === field.name;
  return html`id="${id}" name="${field.name}"${
    described.length === 0 ? "" : html` aria-describedby="${described.join(" ")}"`
  }${isWrong ? html` aria-invalid="true"` : ""}${isFirst ? html` autofocus` : ""}`;
};
