/** The endpoints that a send of one message or of many may call: they decide who may run it. */
import { getPrice } from "../../contract/account.ts";
import {
  addGroupMessages,
  createGroup,
  deleteGroup,
  listGroups,
  readGroup,
  sendGroup,
} from "../../contract/groups.ts";
import { listMessages, sendMany } from "../../contract/messages.ts";

export const sendEndpoints = [
  sendMany,
  createGroup,
  addGroupMessages,
  readGroup,
  sendGroup,
  listGroups,
  deleteGroup,
  listMessages,
  getPrice,
] as const;
