/** The choices about money and the second factor (assumptions.ts). */

export const moneyAssumptions = [
  {
    id: "second-factor",
    question: "How is a second factor started, carried and refused?",
    choice:
      "With the header x-mfa-data, or two members of the bank account's body; 180 seconds, five attempts, used once, bound to member, method and path; a new code after 30 seconds ends the earlier one.",
    tag: "sandbox.md 4",
  },
  {
    id: "alert-change",
    question: "What does setting the low-balance alert change?",
    choice: "Both lists, thresholds ascending; it is armed again, and stays on or off.",
    tag: "facts/auth-cash 8.3",
  },
  {
    id: "alert-crossing",
    question: "When does a low-balance alert tell of a threshold?",
    choice:
      "Once, when the balance falls below it, by SMS or alimtalk to the phone of the first active owner; again after the balance rose above the highest.",
    tag: "facts/auth-cash 7",
  },
  {
    id: "auto-recharge",
    question: "What does automatic recharge do when a card is declined?",
    choice:
      "Counts the try and takes the next card; when all were declined it waits for the next deduction, and stays on.",
    tag: "facts/auth-cash 7",
  },
  {
    id: "recharge-toggle",
    question: "What is answered when automatic recharge is turned on without a card in the order?",
    choice: "404 ResourceNotFound.",
    tag: "facts/auth-cash 8.10",
  },
  {
    id: "same-card",
    question: "Which cards are the same?",
    choice:
      "Those of one brand with the same last four digits and expiry: no more of a number is kept. An account may have ten.",
    tag: "facts/auth-cash 8.7",
  },
  {
    id: "payment-order",
    question: "What does setting the order of cards change?",
    choice:
      "Listed cards get 1, 2, 3 …, all others 0; an unknown one is 400 InvalidPaymentId; automatic recharge stays on or off.",
    tag: "facts/auth-cash 8.8",
  },
  {
    id: "last-card",
    question: "What happens when the last card in the order is removed?",
    choice: "Automatic recharge turns off; otherwise the gap in the order is closed.",
    tag: "facts/auth-cash 8.9",
  },
  {
    id: "test-cards",
    question: "Which cards are declined?",
    choice: "Those that end in 0002: 402 BalanceInsufficient.",
    tag: "facts/auth-cash 8.11",
  },
  {
    id: "transfer",
    question:
      "What is answered to a transfer above the balance, and what does the ledger say of one?",
    choice: "402 NotEnoughBalance; each side has a record whose memo names the other.",
    tag: "facts/auth-cash 8.12",
  },
  {
    id: "history-directions",
    question: "What do balanceRecharge, balanceDeduct, pointRecharge and pointDeduct filter?",
    choice: "Those that are true, together as a union, by the sign of the amount.",
    tag: "facts/auth-cash 8.5",
  },
  {
    id: "papers",
    question: "What do quotes and statements consist of?",
    choice:
      "JSON. Quotes: prices of Korea with 10 % of tax on top, or split out of a given amount; empty for a company alone.",
    tag: "facts/auth-cash 8.18",
  },
  {
    id: "bank-account",
    question: "What is known of a registered bank account?",
    choice:
      "One an account, replaced by the next; number masked; the holder MISMATCH is refused; removing none answers n 0.",
    tag: "facts/auth-cash 8.13",
  },
  {
    id: "withdrawal",
    question: "When is a withdrawal refused, and what becomes of it?",
    choice:
      "403 Forbidden above the balance, 404 without a bank account; PENDING, then APPROVED or, with the money given back, REJECTED.",
    tag: "facts/auth-cash 8.16",
  },
  {
    id: "withdrawal-key",
    question: "What is answered to a startKey that names no withdrawal of the account?",
    choice: "An empty page.",
    tag: "facts/auth-cash 8.17",
  },
] as const;
