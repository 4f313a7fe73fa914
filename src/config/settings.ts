/** Settings: every value with where it came from (design 5: flag > environment > profile > default). */
import type { Credentials } from "../contract/credentials.ts";
import type { Format } from "../contract/formats.ts";

export type Origin = "flag" | "environment" | "profile" | "default";

export interface Sourced<T> {
  readonly value: T;
  /** `flag --timeout`, `MSG_TIMEOUT`, `profile work`, `default`. */
  readonly from: string;
  readonly origin: Origin;
}

export interface Settings {
  readonly profile: Sourced<string>;
  /** True for `sandbox` and `sandbox:<caller>`: the service in this process. */
  readonly sandbox: boolean;
  readonly baseUrl: Sourced<string | undefined>;
  readonly authUrl: Sourced<string | undefined>;
  readonly credentials: Sourced<Credentials | undefined>;
  /** Default sender number. */
  readonly from: Sourced<string | undefined>;
  readonly output: Sourced<Format | undefined>;
  readonly timeZone: Sourced<string>;
  readonly timeoutMs: Sourced<number | undefined>;
  readonly noInput: Sourced<boolean>;
  readonly maxCost: Sourced<number | undefined>;
  readonly maxRecipients: Sourced<number | undefined>;
  readonly protected: Sourced<boolean>;
}

/** The global flags that settings are made of, as typed. */
export interface SettingFlags {
  readonly profile?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  readonly output?: string | undefined;
  readonly tz?: string | undefined;
  readonly timeout?: string | undefined;
  readonly noInput?: boolean | undefined;
}
