/** Who calls, once that is proven. */
import type { Caller } from "../service.ts";

/** The owner of valid credentials, with what the permission checks look at. */
export interface Known extends Caller {
  readonly accountStatus: string;
  readonly memberStatus: string;
  readonly authenticated: boolean;
}
