/** The choices about callers, money, Kakao, documents and storage. */

export const recordAssumptions = {
  money: {
    "second-factor": [
      "How is a second factor started, carried and refused?",
      "With the header x-mfa-data, or two members of the bank account's body; 180 seconds, five attempts, used once, bound to member, method and path; a new code after 30 seconds ends the earlier one.",
    ],
    "alert-change": [
      "What does setting the low-balance alert change?",
      "Both lists, thresholds ascending; it is armed again, and stays on or off.",
    ],
    "alert-crossing": [
      "When does a low-balance alert report a threshold?",
      "Once, when the balance falls below it, by SMS or alimtalk to the phone of the first active owner; again after the balance rose above the highest.",
    ],
    "auto-recharge": [
      "What does automatic recharge do when a card is declined?",
      "Counts the try and takes the next card; when all were declined it waits for the next deduction, and stays on.",
    ],
    "recharge-toggle": [
      "What is answered when automatic recharge is turned on without a card in the order?",
      "404 ResourceNotFound.",
    ],
    "same-card": [
      "Which cards are the same?",
      "Those of one brand with the same last four digits and expiry: no more of a number is kept. An account may have ten.",
    ],
    "payment-order": [
      "What does setting the order of cards change?",
      "Listed cards get 1, 2, 3 …, all others 0; an unknown one is 400 InvalidPaymentId; automatic recharge stays on or off.",
    ],
    "last-card": [
      "What happens when the last card in the order is removed?",
      "Automatic recharge turns off; otherwise the gap in the order is closed.",
    ],
    "test-cards": ["Which cards are declined?", "Those that end in 0002: 402 BalanceInsufficient."],
    transfer: [
      "What is answered to a transfer above the balance, and what does the ledger say of one?",
      "402 NotEnoughBalance; each side has a record whose memo names the other.",
    ],
    "history-directions": [
      "What do balanceRecharge, balanceDeduct, pointRecharge and pointDeduct filter?",
      "Those that are true, together as a union, by the sign of the amount.",
    ],
    papers: [
      "What do quotes and statements consist of?",
      "JSON. Quotes: prices of Korea with 10 % of tax on top, or split out of a given amount; empty for a company alone.",
    ],
    "bank-account": [
      "What is known of a registered bank account?",
      "One an account, replaced by the next; number masked; the holder MISMATCH is refused; removing none answers n 0.",
    ],
    withdrawal: [
      "When is a withdrawal refused, and what becomes of it?",
      "403 Forbidden above the balance, 404 without a bank account; PENDING, then APPROVED or, with the money given back, REJECTED.",
    ],
    "withdrawal-key": [
      "What is answered to a startKey that names no withdrawal of the account?",
      "An empty page.",
    ],
  },
  kakao: {
    "unlisted-roles": [
      "Which roles include the permissions that no table lists?",
      "role-kakao and role-webhook: developers read and write; role-quota: all read; role-accounts: developers read.",
    ],
    "template-copies": [
      "In what do the two copies of an update's answer differ?",
      "In nothing: dateUpdated is the instant of the request in both.",
    ],
    "template-states": [
      "Which states allow a template to be updated or deleted?",
      "PENDING and REJECTED at every provider; else 409 FailedToUpdate.",
    ],
    "template-review": [
      "When does a review end?",
      "When msg sandbox review says so; a rejection always carries a comment of the staff.",
    ],
    "comment-length": [
      "How long may a comment on a template be?",
      "1 to 1,000 characters, in every state.",
    ],
    "status-filter": [
      "Which templates does the filter 'status' find?",
      "Those of which any provider's entry has it; hidden and visible ones alike.",
    ],
    "link-token": [
      "What is the token that links a channel?",
      "Six digits, valid for 10 minutes and once, for the newest request of the same searchId and phone; else 400 InvalidToken. A second link is 409 AlreadyLinked.",
    ],
    "template-match": [
      "When does a text keep to its template?",
      "When it is the content with every variable replaced by anything, also by nothing; a variable that was not replaced is 1043.",
    ],
    "template-buttons": [
      "When do buttons of a message differ from the template's?",
      "None given: the template's are used. Fewer are 1046, more 1047, another kind or name in a place 1052, another address 1045.",
    ],
  },
  access: {
    "salt-and-date": [
      "What is answered to a salt of another size, or a date that is none?",
      "400 ValidationError.",
    ],
    "no-credentials": [
      "What is answered to a missing or malformed Authorization header?",
      "401 Unauthorized.",
    ],
    "permission-errors": [
      "What is answered to a caller who lacks role, status or authentication?",
      "403 with Forbidden, Inactive…, Deleted…, UnverifiedMember or AccountNotAuthenticated.",
    ],
    "unknown-route": [
      "What is answered to a path or method that does not exist?",
      "404 ResourceNotFound, before credentials are checked.",
    ],
    "body-limit": ["What is answered to a body of more than 15 MB?", "413 ValidationError."],
    "body-depth": ["How deep may a body be nested?", "64 levels, then 400 ValidationError."],
    "rate-limit": [
      "How many requests may a caller make?",
      "As many as it likes; with msg sandbox set --rate-limit n a key makes n a second, then 429 TooManyRequests.",
    ],
    "oauth-checks": [
      "In which order is a request for consent checked, and what of redirect_uri must match?",
      "Client, then redirect address, then scopes; the host name must match, port and path are free, http is for loopback, user names and fragments are refused.",
    ],
    "oauth-headless": [
      "How does a client without a browser get a code?",
      "GET authorize with Accept: application/json grants everything that is asked for, as the owner of the first account.",
    ],
    "bearer-refused": [
      "What is answered to a token that is malformed, expired or revoked?",
      "401 Unauthorized.",
    ],
    "user-profile": [
      "What does userprofile answer?",
      "memberId, accountId, name, email and status.",
    ],
  },
  documents: {
    "statistics-range": [
      "Which days do statistics cover, and when does a day begin?",
      "From the first of the month of endDate to now where nothing is given; days and months of UTC+9, the earliest first; messages by their creation, money by its movement.",
    ],
    "statistics-accounts": [
      "Whose messages are counted where masterAccountId or subAccountId names an account?",
      "The caller's where it names the caller: it has no sub-accounts. Nobody's where it names another.",
    ],
    "statistics-averages": [
      "What are the averages of statistics divided by?",
      "By the days, or months, on which anything was sent or paid; not rounded.",
    ],
    "statistics-daily": [
      "What is a row of daily statistics?",
      "One day, app and way of paying; no tax invoices and no settled profit, so those filters find nothing.",
    ],
    "sheet-columns": [
      "Which columns do the spreadsheets have?",
      "Those of the list's most read members, in bold; a sub-account's sheet has no more.",
    ],
    "sheet-rows": [
      "How many messages does a spreadsheet hold?",
      "10,000 where no limit is given, 50,000 at most, the newest first.",
    ],
    "price-order": ["In which order do the prices of countries come?", "82 first, then by number."],
    "price-auth": ["Which prices have serviceMethod AUTH?", "None."],
  },
  storage: {
    "file-checks": [
      "How does an upload check a file?",
      "Size, then format by its bytes, then dimensions; 413 FileSizeTooBig, 403 ImageTypeNotSupported, 413 ImageResolutionSizeTooBig.",
    ],
    "kakao-addresses": [
      "Which provider has a new picture of type KAKAO?",
      "Provider B; provider A has none.",
    ],
    "file-in-use": [
      "What is answered to deleting a file that something uses?",
      "409 FileInUse; a quota request that names a file uses it.",
    ],
    "file-start-key": [
      "What does 'startKey' of a page of files say?",
      "What the caller asked for; null on the first page.",
    ],
    "quota-request": [
      "What becomes of a request that is pending when another is made?",
      "It is rejected as 'superseded'; msg sandbox quota-review decides on the new one.",
    ],
    "app-profits": [
      "What is 'expectedProfit', and what does 'type' filter?",
      "What apps earned in the span with messages that were sent, and were not paid out; 'type' filters nothing.",
    ],
    "app-live": [
      "What is answered to setting an app live that is live, or not the caller's?",
      "200 with the app unchanged; 404 ResourceNotFound.",
    ],
  },
} as const;
