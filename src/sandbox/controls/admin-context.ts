/** What a control route is handed beside what a handler of the service is. */
import type { Endpoint, Input, Reply } from "../../contract/endpoint.ts";
import type { Clock } from "../clock.ts";
import type { LoadFigures } from "../http/load-meter.ts";
import type { Service } from "../service.ts";

export interface AdminContext extends Service {
  readonly clock: Clock;
  /** The database file, or `:memory:`. */
  readonly file: string;
  /** What the server has to do; undefined where none runs. */
  readonly load: () => LoadFigures | undefined;
}

/** A function for every control route. */
export type ControlHandlers<C extends Readonly<Record<string, Endpoint>>> = {
  readonly [K in keyof C]: (input: Input<C[K]>, context: AdminContext) => Reply<C[K]>;
};
