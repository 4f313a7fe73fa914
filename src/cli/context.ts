/** What a command is handed; tests build their own. */
import type { Client, ClientAt } from "../client/client.ts";
import type { Conversation } from "../client/conversation.ts";
import type { Env } from "../config/paths.ts";
import type { Out } from "../output/out.ts";
import type { Ports } from "../ports.ts";

/** Everything a command may touch. Built once per command by app; tests build their own. */
export interface Context extends Ports {
  /** Data. */
  readonly out: Out;
  /**
   * A client for another host or key than those of this command: to check a login before it is kept,
   * and, without credentials, to read what is open to all.
   */
  readonly clientAt: ClientAt;
  /** The database of the profile's sandbox. */
  readonly sandboxFile: () => string;
  /** Shows an address in the browser of this machine, where there is one. */
  readonly open: (address: string) => Promise<void>;
  /** The environment and the versions of this program's surroundings. */
  readonly env: Env;
  readonly versions: { readonly node: string };
  /** What commands that move money need; the composition root gives it. */
  readonly payments: PaymentEngine;
}

/** How a call that moves money is made so that it cannot happen twice. */
export interface PaymentEngine {
  /** Reports earlier calls whose outcome is unknown. */
  readonly reportOpen: (ctx: Context) => Promise<void>;
  /** The client of `ctx`, which records such a call before it leaves and reconciles it after. */
  readonly protect: (ctx: Context, call: ProtectedCall) => Promise<Client>;
}

/** What the protected calls of one command share. */
export interface ProtectedCall {
  /** `balance charge` */
  readonly command: string;
  readonly conversation: Conversation;
  readonly settleMs: number;
  /** Made although the same call is in doubt. */
  readonly again: boolean;
}
