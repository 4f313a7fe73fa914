/** Settings: every value with its origin, and how each is parsed from typed text. */

import { type Format, formats } from "../contract/fields.ts";
import { durationForms, parseDuration } from "../contract/time.ts";
import { type Credentials, isLoopback, readAddress } from "../contract/wire.ts";
import { quietly } from "../durable/files.ts";
import { didYouMean, invalidValue } from "../errors.ts";
import { isLanguage, type Language, languages, t } from "../locale/locale.ts";
import { normaliseNumber } from "../message/numbers.ts";
import { sandboxKey, sandboxProfiles } from "./sandbox-profiles.ts";

/** `command`: set by the command itself, or by the run that it names. */
export type Origin = "flag" | "command" | "environment" | "profile" | "default";

export interface Resolved<T> {
  readonly value: T;
  /** `flag --timeout`, `MSG_TIMEOUT`, `profile work`, `default`. */
  readonly from: string;
  readonly origin: Origin;
}

export interface Settings {
  readonly profile: Resolved<string>;
  /** True for `sandbox` and `sandbox:<caller>`: the service in this process. */
  readonly sandbox: boolean;
  readonly baseUrl: Resolved<string | undefined>;
  readonly authUrl: Resolved<string | undefined>;
  readonly credentials: Resolved<Credentials | undefined>;
  readonly from: Resolved<string | undefined>;
  readonly output: Resolved<Format | undefined>;
  readonly timeZone: Resolved<string>;
  /** The chosen language; undefined if the system's locale decides. */
  readonly language: Resolved<Language | undefined>;
  readonly timeoutMs: Resolved<number | undefined>;
  readonly noInput: Resolved<boolean>;
  readonly maxCost: Resolved<number | undefined>;
  readonly maxRecipients: Resolved<number | undefined>;
  readonly protected: Resolved<boolean>;
  /** Whether send-many needs a plan that another person approved, and above how many rows or won. */
  readonly approval: Resolved<ApprovalRule>;
  readonly approvalAbove: Resolved<string>;
  readonly approvers: Resolved<Readonly<Record<string, string>>>;
  /** More rows or won than these need consent if there is no prompt. */
  readonly confirmRows: Resolved<number>;
  readonly confirmCost: Resolved<number>;
}

type TextFlag = "profile" | "base-url" | "auth-url" | "output" | "tz" | "lang" | "timeout";

/** The global flags that become settings, as typed: a text, or true for a switch. */
export type SettingFlags = Readonly<
  Partial<Record<TextFlag, string> & Record<"sandbox" | "no-input", boolean>>
>;

/** Parses typed text; `label` says where it came from: `--tz`, `MSG_TZ`, `tz of profile 'work'`. Throws usage. */
export type Reader<T> = (typed: string, label: string) => T;

const readFormat: Reader<Format> = (typed, label) => {
  const format = formats.find((it) => it === typed);
  if (format !== undefined) return format;
  const what = t`${label}: '${typed}' is not an output format${didYouMean(typed, formats)}`;
  throw valueError(what, formats.join(", "));
};

const readLanguage: Reader<Language> = (typed, label) => {
  if (isLanguage(typed)) return typed;
  throw valueError(t`${label}: '${typed}' is not a language of msg`, languages.join(", "));
};

/** An IANA name, or an offset if this Node knows it. */
const readZone: Reader<string> = (typed, label) => {
  const timeZone = typed === "KST" ? "Asia/Seoul" : typed;
  const zone = quietly(() => new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions());
  if (zone !== undefined) return zone.timeZone;
  const what = t`${label}: '${typed}' is not a time zone`;
  throw valueError(what, "Asia/Seoul, KST, UTC, Europe/Berlin …");
};

/** A length of time in milliseconds; `0` needs no unit. */
export const readDuration: Reader<number> = (typed, label) => {
  const ms = parseDuration(typed.trim());
  if (ms !== undefined && ms >= 0) return ms;
  throw valueError(t`${label}: '${typed}' is not a duration`, durationForms);
};

const maxTimeoutMs = 24 * 3_600_000;

/** The time limit of a request: more than zero, at most a day. */
export const readTimeout: Reader<number> = (typed, label) => {
  const ms = readDuration(typed, label);
  if (ms > 0 && ms <= maxTimeoutMs) return ms;
  throw valueError(t`${label}: '${typed}' is not a time limit of up to a day`, durationForms);
};

const yes = ["true", "yes", "on", "1"];
const no = ["false", "no", "off", "0"];

export const readSwitch: Reader<boolean> = (typed, label) => {
  const word = typed.toLowerCase();
  if (yes.includes(word)) return true;
  if (no.includes(word)) return false;
  throw valueError(t`${label}: '${typed}' is neither yes nor no`, "true, false");
};

/** A whole number from 0 up; separators as in `1,000,000` are accepted. */
const readCount: Reader<number> = (typed, label) => {
  const digits = typed.replaceAll(",", "");
  if (/^\d{1,15}$/.test(digits)) return Number(digits);
  throw valueError(t`${label}: '${typed}' is not a whole number from 0 up`, "30000");
};

export const approvals = ["off", "required"] as const;
export type ApprovalRule = (typeof approvals)[number];

const readApproval: Reader<ApprovalRule> = (typed, label) => {
  const rule = approvals.find((it) => it === typed.toLowerCase());
  if (rule !== undefined) return rule;
  throw valueError(t`${label}: '${typed}' is neither off nor required`, "required");
};

/** A threshold in rows or won: `1000rows`, `50000won`; a bare figure means rows. */
const readAbove: Reader<string> = (typed, label) => {
  const [, digits = "", unit = "rows"] = /^([\d,]+)\s*(rows|won)?$/.exec(typed.trim()) ?? [];
  if (digits !== "") return `${readCount(digits, label)}${unit}`;
  throw valueError(t`${label}: '${typed}' is not a number of rows or won`, "1000rows, 50000won");
};

/** A sender number as digits. */
const readSender: Reader<string> = (typed, label) => {
  const { digits } = normaliseNumber(typed);
  if (digits !== undefined) return digits;
  throw valueError(t`${label}: '${typed}' is not a phone number`, "0212345678");
};

/** An address of a host, without a slash at the end. */
export const readHost: Reader<string> = (typed, label) => {
  const { url, fault } = readAddress(typed);
  if (url) return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  throw invalidValue(`${label}: ${fault.text}`, fault.todo);
};

/** For each setting of a profile: what was typed → its value. */
export const readers = {
  from: readSender,
  baseUrl: readHost,
  authUrl: readHost,
  maxCost: readCount,
  maxRecipients: readCount,
  protected: readSwitch,
  confirmRows: readCount,
  confirmCost: readCount,
  approval: readApproval,
  approvalAbove: readAbove,
  tz: readZone,
  lang: readLanguage,
  output: readFormat,
} as const;

/** Host and port, to which a secret is bound. */
export const hostOf = (address: string): string => new URL(address).host;

export const isLocal = (address: string): boolean => isLoopback(new URL(address).hostname);

/** What is kept of a caller. */
interface KnownCaller {
  readonly baseUrl: string | null;
  /** The last four characters of the API key; null for an access token. */
  readonly key: string | null;
}

const keyTails = sandboxProfiles.map((it) => sandboxKey(it).apiKey.slice(-4));

/** A tunnel on this machine leads to the service, but not by a key of the sandbox. */
const isRehearsing = ({ baseUrl, key }: KnownCaller): boolean =>
  baseUrl !== null && isLocal(baseUrl) && key !== null && keyTails.includes(key);

/** Whether the one called a sandbox that is served on this machine, and the other did not. */
export const wasRehearsed = (one: KnownCaller, other: KnownCaller): boolean =>
  isRehearsing(one) && !isRehearsing(other) && one.key !== other.key;

const valueError = (what: string, example: string): Error =>
  invalidValue(what, t`for example ${example}`);
