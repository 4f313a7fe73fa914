/** Where calls that were left in doubt are kept, of all profiles. */
import { join } from "node:path";
import type { Ports } from "../ports.ts";

export const paymentsFolder = ({
  environment: { stateFolder },
}: Pick<Ports, "environment">): string => join(stateFolder(), "doubts");
