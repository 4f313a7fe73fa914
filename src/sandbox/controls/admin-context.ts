/** What a control route receives in addition to what a handler of the service does. */
import type { Input, Reply } from "../../contract/endpoint.ts";
import type { Controls } from "../../contract/sandbox.ts";
import type { Clock } from "../clock.ts";
import type { LoadFigures } from "../http/load-meter.ts";
import type { Service } from "../service.ts";

export interface AdminContext extends Service {
  readonly clock: Clock;
  /** The database file, or `:memory:`. */
  readonly file: string;
  /** Does everything that is due by then, however long it takes. */
  readonly finishDueJobs: (now: number) => void;
  /** The load of the server; null in process, where none runs. */
  readonly load: () => LoadFigures | null;
}

export type ControlHandler<N extends keyof Controls> = (
  input: Input<Controls[N]>,
  context: AdminContext,
) => Reply<Controls[N]>;

/** Reads a member that is written in a form of its own, which its schema has let through. */
export const readChecked = <T>(read: (text: string) => T | undefined, text: string): T => {
  const value = read(text);
  if (value !== undefined) return value;
  throw new Error(`The schema let through '${text}', which cannot be read.`);
};
