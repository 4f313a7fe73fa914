/** Settings: every value with where it came from. */
import type { Credentials } from "../contract/credentials.ts";
import type { Format } from "../contract/formats.ts";
import type { Language } from "../locale/locale.ts";
import type { ApprovalRule } from "./values.ts";

export type Origin = "flag" | "environment" | "profile" | "default";

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
  /** Default sender number. */
  readonly from: Resolved<string | undefined>;
  readonly output: Resolved<Format | undefined>;
  readonly timeZone: Resolved<string>;
  /** What was chosen for the sentences; undefined where the locale of the system decides. */
  readonly language: Resolved<Language | undefined>;
  readonly timeoutMs: Resolved<number | undefined>;
  readonly noInput: Resolved<boolean>;
  readonly maxCost: Resolved<number | undefined>;
  readonly maxRecipients: Resolved<number | undefined>;
  readonly protected: Resolved<boolean>;
  /** Whether send-many needs a plan that another person approved, and above how many rows or won. */
  readonly approval: Resolved<ApprovalRule>;
  readonly approvalAbove: Resolved<string>;
  /** Name → public key of those who may approve. */
  readonly approvers: Resolved<Readonly<Record<string, string>>>;
  /** More rows, or won, than these need consent where no one is asked. */
  readonly confirmRows: Resolved<number>;
  readonly confirmCost: Resolved<number>;
}

/** The global flags that settings are made of, as typed. */
export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly output?: string | undefined;
  readonly tz?: string | undefined;
  readonly lang?: string | undefined;
  readonly timeout?: string | undefined;
  readonly noInput?: boolean | undefined;
}
