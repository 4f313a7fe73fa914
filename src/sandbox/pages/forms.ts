/** Forms with an action: their fields, which forms are accepted, and how typed values are read. */
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { parseDuration, unitMs } from "../../contract/time.ts";
import { sameSecret } from "../../contract/wire.ts";
import { type Html, html } from "../../markup/html.ts";
import { mediaType } from "../checks/validate.ts";
import { formatNumber, option } from "./elements.ts";
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
  const isFirst = isWrong && Object.keys(view.submitted?.errors ?? {})[0] === field.name;
  return html`id="${id}" name="${field.name}"${
    described.length === 0 ? "" : html` aria-describedby="${described.join(" ")}"`
  }${isWrong ? html` aria-invalid="true"` : ""}${isFirst ? html` autofocus` : ""}`;
};

interface Range {
  readonly from: number;
  readonly until: number;
  /** Fractions are accepted too. */
  readonly isFraction?: boolean;
  /** The longest duration, whatever its unit. */
  readonly maxMs?: number;
  /** What to type, if the ends of the range say little. */
  readonly message?: Label;
}

export type FormReader = ReturnType<typeof formReader>;

/** Reads the fields of a form: each method notes in `errors` what it cannot read; an empty field is undefined. */
export const formReader = (fields: URLSearchParams) => {
  const errors: Record<string, Label> = {};
  const text = (name: string): string | undefined => fields.get(name)?.trim() || undefined;
  const number = (name: string, range: Range): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const value = /^[+-]?\d[\d,]*(\.\d+)?$/.test(given) ? Number(given.replaceAll(",", "")) : NaN;
    const fits = value >= range.from && value <= range.until;
    if (fits && (range.isFraction || Number.isInteger(value))) return value;
    errors[name] = rangeMessage(range);
    return undefined;
  };
  /** `10m`, from a number and its unit. */
  const duration = (name: string, range: Range): string | undefined => {
    const value = number(name, { ...range, isFraction: true });
    if (value === undefined) return undefined;
    const written = `${value}${fields.get(`${name}-unit`)}`;
    if ((parseDuration(written) ?? Number.NaN) <= (range.maxMs ?? Number.MAX_VALUE)) return written;
    errors[name] = rangeMessage(range);
    return undefined;
  };
  /** The value of a field that must not be left empty. */
  const required = <T>(name: string, value: T | undefined): T | undefined => {
    if (value === undefined) errors[name] ??= "Enter a value.";
    return value;
  };
  return { errors, text, number, duration, required };
};

export const hasErrors = ({ errors }: FormReader): boolean => Object.keys(errors).length > 0;

const rangeMessage = ({ from, until, isFraction, message }: Range): Label => {
  const words = isFraction ? "Enter a number from # to #." : "Enter a whole number from # to #.";
  return message ?? [words, formatNumber(from), formatNumber(until)];
};

/** New with every start: a page reads it only where it was served by this server. */
export const createFormToken = (): string => randomBytes(24).toString("base64url");

export interface FormRefusal {
  readonly status: number;
  readonly why: Label;
}

/**
 * The fields of a form. A browser names the origin of every form that it sends; the guard has compared
 * one that is there, so that here only its absence is left to refuse.
 */
export const readForm = (
  body: Uint8Array | undefined | "too large" | "broken",
  headers: IncomingHttpHeaders,
  token: string,
): { readonly fields: URLSearchParams } | FormRefusal => {
  if (body === "too large") return { status: 413, why: "The form is too large." };
  const isForm = mediaType(headers["content-type"]) === "application/x-www-form-urlencoded";
  if (!isForm || !(body instanceof Uint8Array))
    return { status: 415, why: "These pages have no such form." };
  const fields = new URLSearchParams(Buffer.from(body).toString("utf8"));
  const isOurs = sameSecret(fields.get("token") ?? "", token);
  if (isOurs && headers.origin === `http://${headers.host}`) return { fields };
  return {
    status: 403,
    why: "The form is from before the server restarted, or from elsewhere. Reload the page and try again.",
  };
};
