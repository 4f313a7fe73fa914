/** What a command is handed. */
import type { Client } from "../client/client.ts";
import type { Ports, ProtectedCall } from "../ports.ts";

/** Everything a command may touch. Built once per command by app. */
export interface Context extends Ports {
  /** What commands that move money need; the composition root gives it. */
  readonly payments: PaymentEngine;
  /**
   * Runs another line of msg for the same account, with this text on its standard input: returns what it
   * prints. It has no one to ask, and reads no file that the line names.
   */
  readonly runLine: (argv: readonly string[], stdin?: string) => Promise<RanLine>;
}

export interface RanLine {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Makes calls that move money so that they cannot happen twice. */
export interface PaymentEngine {
  /** Reports earlier calls whose outcome is unknown; `pays`: the command is such a call itself. */
  readonly reportOpen: (ctx: Context, pays: boolean) => Promise<void>;
  /** The client of `ctx`, which records such a call before it leaves and reconciles it after. */
  readonly protect: (ctx: Context, call: ProtectedCall) => Promise<Client>;
}
