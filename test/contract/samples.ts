/** Endpoints of every shape that the contract must be able to declare; the service has them all. */
import * as v from "valibot";
import { endpoint } from "../../src/contract/endpoint.ts";
import {
  bytes,
  choice,
  date,
  flag,
  id,
  list,
  number,
  operators,
  required,
  secret,
  text,
} from "../../src/contract/fields.ts";
import { blank, cashRead, cashWrite } from "../../src/contract/needs.ts";

export const registerCard = endpoint({
  does: "Register a card to pay with",
  method: "POST",
  path: "/cash/v1/payment",
  effect: "unsafe",
  needs: cashWrite,
  secondFactor: true,
  body: v.object({
    cardNumber: secret("card number, digits only"),
    cvc: secret("three digits on the back"),
    expYear: number("year on the card"),
    description: v.optional(text("a name you will recognise")),
  }),
  reply: v.object({ paymentId: v.string(), expDate: v.string() }),
  proof: ["paymentId"],
});

export const removeCard = endpoint({
  does: "Remove a card",
  method: "DELETE",
  path: "/cash/v1/payment",
  effect: "settling",
  needs: cashWrite,
  body: v.object({ paymentId: id("the card") }),
  reply: v.object({ paymentId: v.string(), message: v.string() }),
});

export const listByKey = endpoint({
  does: "List withdrawals",
  method: "GET",
  path: "/cash/v1/withdraw",
  effect: "safe",
  needs: cashRead,
  page: { by: "key", items: "data" },
  query: {
    status: text("only this status"),
    startKey: id("where to start"),
    limit: number("rows of a page"),
    startDate: date("from", "from"),
    dateCreated: operators(date("created"), "gte", "lt"),
    kind: operators(text("kind"), "eq", "in"),
  },
  reply: v.object({
    data: v.array(v.object({ withdrawId: v.string(), amount: v.number() })),
    nextKey: v.nullable(v.string()),
  }),
});

export const listByOffset = endpoint({
  does: "List history",
  method: "GET",
  path: "/cash/v1/balance/history",
  effect: "safe",
  needs: cashRead,
  page: { by: "offset" },
  query: {
    offset: number("rows to pass over"),
    limit: number("rows"),
    recharge: flag("only these"),
  },
  reply: v.array(v.object({ historyId: v.string() })),
});

export const readFile = endpoint({
  does: "Read one file",
  method: "GET",
  path: "/storage/v1/files/:fileId/parts/:part",
  effect: "safe",
  needs: blank,
  reply: v.object({ fileId: v.string() }),
});

export const download = endpoint({
  does: "Download a spreadsheet",
  method: "GET",
  path: "/messages/v4/statistics/excel",
  effect: "safe",
  needs: blank,
  query: { startDate: required(date("from", "from")), by: choice(["day", "month"], "steps") },
  reply: bytes("xlsx"),
});

export const transfer = endpoint({
  does: "Transfer money",
  method: "POST",
  path: "/cash/v1/transfer",
  effect: "unsafe",
  checkWith: "msg balance history --since <since>",
  needs: cashWrite,
  body: v.object({ amount: number("won"), ids: v.optional(list(id("one"), "several")) }),
  reply: v.string(),
});
