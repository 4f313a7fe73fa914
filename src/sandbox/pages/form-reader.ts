/** The forms that browsers send: which are accepted, and how typed values are read. */
import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { parseDuration } from "../../contract/time.ts";
import { sameSecret } from "../../contract/wire.ts";
import { mediaType } from "../checks/validate.ts";
import type { Label } from "./language.ts";

/** A field that may be left empty. */
interface Optional {
  readonly isOptional?: boolean;
}

interface Range extends Optional {
  readonly from: number;
  readonly until: number;
  /** Fractions are accepted too. */
  readonly isFraction?: boolean;
  /** The longest duration, whatever its unit. */
  readonly maxMs?: number;
  /** What to type, if the ends of the range say little. */
  readonly message?: Label;
}

/** What is wrong with a field, by its name. */
export type FieldErrors = Readonly<Record<string, Label>>;

export type FormReader = ReturnType<typeof formReader>;

/**
 * Reads the fields of a form. Each method notes in `errors` what it cannot read, and returns undefined for it and
 * for an empty field.
 */
export const formReader = (fields: URLSearchParams) => {
  const errors: Record<string, Label> = {};
  const wrong = (name: string, label: Label): undefined => {
    errors[name] = label;
  };
  const text = (name: string): string | undefined => fields.get(name)?.trim() || undefined;
  const required = (name: string): string | undefined =>
    text(name) ?? wrong(name, "Enter a value.");
  const read = (name: string, { isOptional }: Optional): string | undefined =>
    isOptional ? text(name) : required(name);
  const number = (name: string, range: Range): number | undefined => {
    const given = read(name, range);
    if (given === undefined) return undefined;
    const value = /^[+-]?\d[\d,]*(\.\d+)?$/.test(given) ? Number(given.replaceAll(",", "")) : NaN;
    const fits = value >= range.from && value <= range.until;
    if (fits && (range.isFraction || Number.isInteger(value))) return value;
    return wrong(name, rangeMessage(range));
  };
  /** `10m`, from a number and its unit. */
  const duration = (name: string, range: Range): string | undefined => {
    const value = number(name, { ...range, isFraction: true });
    if (value === undefined) return undefined;
    const written = `${value}${fields.get(`${name}-unit`)}`;
    if ((parseDuration(written) ?? Number.NaN) <= (range.maxMs ?? Number.MAX_VALUE)) return written;
    return wrong(name, rangeMessage(range));
  };
  /** A telephone number without hyphens. */
  const phone = (name: string, options: Optional = {}): string | undefined => {
    const given = read(name, options)?.replaceAll("-", "");
    if (given === undefined || /^\d{8,12}$/.test(given)) return given;
    return wrong(name, "A number has 8 to 12 digits.");
  };
  return { errors, wrong, text, required, number, duration, phone };
};

const rangeMessage = ({ from, until, isFraction, message }: Range): Label =>
  message ?? [
    isFraction ? "Enter a number from # to #." : "Enter a whole number from # to #.",
    from,
    until,
  ];

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
