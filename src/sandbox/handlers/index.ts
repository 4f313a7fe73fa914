/** The service's business rules: a function for every endpoint of the contract. */
import type { Contract } from "../../contract/index.ts";
import type { Handlers } from "../service.ts";
import { getBalance } from "./cash.ts";
import { listMessages, sendMany, sendManyDetail, sendMessage } from "./messages.ts";
import { getPrice } from "./pricing.ts";

export const handlers: Handlers<Contract> = {
  sendMessage,
  sendMany,
  sendManyDetail,
  listMessages,
  getPrice,
  getBalance,
};
