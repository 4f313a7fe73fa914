/** Nothing that sends or pays leaves before the guard of spending has let it: the client itself sees to that. */
import type { Client } from "../client/client.ts";
import type { UntypedRequest } from "../contract/endpoint.ts";
import type { Ports, SessionPort } from "../ports.ts";

type SpendingGate = Pick<SessionPort, "allowSpending" | "assertMayCall"> & {
  readonly guard: (client: Client) => Client;
};

/** One a command: closed until a guard opens it; a call that finds it closed asks the guard by itself. */
export const createSpendingGate = (ctx: () => Ports): SpendingGate => {
  const gate = { isOpen: false };
  const assertMayCall: SpendingGate["assertMayCall"] = async (endpoint, input) => {
    if (!endpoint.spends || gate.isOpen) return;
    const { assertCallAllowed } = await import("../send/guards/call-spending.ts");
    await assertCallAllowed(ctx(), endpoint, input);
  };
  return {
    allowSpending: () => {
      gate.isOpen = true;
    },
    assertMayCall,
    guard: (client) => ({
      ...client,
      call: async (endpoint, input, options) => {
        await assertMayCall(endpoint, untyped(input));
        return client.call(endpoint, input, options);
      },
    }),
  };
};

/** The type of the endpoint's input ends here: what is spent is read by the declaration. */
const untyped = (input: unknown) => input as UntypedRequest;
