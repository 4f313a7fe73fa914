/** The choices about sending: checks, groups, delivery, lists. */
export const messageAssumptions = [
  {
    id: "single-refusal",
    question: "What does POST send answer when a registration check refuses the message?",
    choice:
      "400 FailedToAddMessage with '<code>, <meaning>'; the group stays as FAILED with its message.",
    tag: "facts/messages 3.1",
  },
  {
    id: "check-order",
    question: "In which order are the registration checks made?",
    choice: "As listed in facts/messages 3.4; the first that fails gives the code.",
    tag: "facts/messages 3.4",
  },
  {
    id: "duplicate-scope",
    question: "What counts as the same recipient?",
    choice: "The same number in the same country, accepted before in the same group.",
    tag: "facts/messages 3.4",
  },
  {
    id: "no-balance",
    question: "What becomes of a group that costs more than balance and points?",
    choice:
      "402 NotEnoughBalance; the group stays as FAILED, its accepted messages end with 1030 and count as refused.",
    tag: "facts/messages 3.2",
  },
  {
    id: "quota-refusal",
    question: "What is answered when the daily quota does not suffice?",
    choice:
      "200 with the group FAILED and its messages at 1030; for POST send 400 FailedToAddMessage.",
    tag: "facts/messages 3.5",
  },
  {
    id: "all-refused",
    question: "What is the status of a group whose messages were all refused?",
    choice: "FAILED, not charged, HTTP 200.",
    tag: "facts/messages 3.3",
  },
  {
    id: "quota-day",
    question: "Which day does the quota count?",
    choice: "The day of UTC+9 in which a group is sent.",
    tag: "facts/messages 3.5",
  },
  {
    id: "group-price",
    question: "What does 'price' of a group hold?",
    choice: "An empty array for every country that it was sent to; nothing before.",
    tag: "facts/messages 2.7",
  },
  {
    id: "group-sum",
    question: "When does 'sum' of balance and point of a group appear?",
    choice: "0 until COMPLETE, then requested + replacement - refund.",
    tag: "facts/messages 13",
  },
  {
    id: "refund-order",
    question: "To which purse do the prices of failed messages go back?",
    choice:
      "To the balance up to what it paid, the rest to the points: the last spent comes first.",
    tag: "facts/messages 3.5",
  },
  {
    id: "delivery",
    question: "How are messages delivered?",
    choice:
      "At the carrier after one tick, reported after two; a recipient 0100000NNNN ends with the code NNNN, save that a code of Kakao's (31xx) does not hold for what is sent in place of a Kakao message.",
    tag: "facts/messages 9",
  },
  {
    id: "platform-failure",
    question: "How is a message counted that the platform refuses after accepting it (2xxx)?",
    choice: "In sentTotal and sentFailed, at the time of hand-over.",
    tag: "facts/messages 9",
  },
  {
    id: "unpublished-prices",
    question: "What do types without a published price cost?",
    choice: "nsa 15, rcs_sms 17, rcs_lms 35, rcs_mms 80, rcs_tpl 17 won, in every country.",
    tag: "facts/messages 7.2",
  },
  {
    id: "no-route",
    question: "What happens to messages to a country without prices?",
    choice: "They are refused with 1058.",
    tag: "facts/messages 3.4",
  },
  {
    id: "empty-recipients",
    question: "What is a message whose 'to' is an empty list?",
    choice: "One message without a recipient, refused with 1010.",
    tag: "facts/messages 2.1",
  },
  {
    id: "unpaired-surrogate",
    question: "How is a text stored that is not UTF-8 (1027)?",
    choice: "With U+FFFD in place of each half character.",
    tag: "facts/messages 3.4",
  },
  {
    id: "list-order",
    question: "In which order do lists come?",
    choice: "dateCreated descending, then id descending.",
    tag: "facts/messages 13",
  },
  {
    id: "next-key",
    question: "What does 'nextKey' name?",
    choice: "The first record of the next page, inclusive; null on the last page.",
    tag: "facts/messages 13",
  },
  {
    id: "start-key",
    question: "What is answered to a startKey that names no record of the caller?",
    choice: "400 ValidationError.",
    tag: "facts/messages 13",
  },
  {
    id: "retention",
    question: "When does a record vanish from lists?",
    choice: "Six calendar months of UTC+9 after it was created.",
    tag: "facts/messages 13",
  },
  {
    id: "foreign-rows",
    question: "What does a list show of another account's records?",
    choice: "Nothing: they are not found.",
    tag: "facts/messages 4.2",
  },
  {
    id: "group-hint",
    question: "What becomes of the 'hint' of a new group?",
    choice: "It is taken and not kept; answers show null.",
    tag: "facts/messages 12",
  },
  {
    id: "deleted-groups",
    question: "Are DELETED groups listed?",
    choice: "Yes; their status tells.",
    tag: "facts/messages 13",
  },
  {
    id: "remove-unknown",
    question: "What is answered to removing messages that a group does not hold?",
    choice: "Each with resultCode ResourceNotFound; 400 ResourceNotFound when none was found.",
    tag: "facts/messages 5.4",
  },
  {
    id: "group-states",
    question: "What is answered to an operation that the state of a group does not allow?",
    choice: "The table of facts/messages 5.0, cell by cell.",
    tag: "facts/messages 5.0",
  },
  {
    id: "resend-counts",
    question: "What does sending a failed group again do to its messages?",
    choice:
      "Those that money or quota stopped (1030) are accepted again; the quota is not asked, but they count in it.",
    tag: "facts/messages 5.12",
  },
  {
    id: "group-columns",
    question: "Which columns does the spreadsheet of groups have?",
    choice:
      "groupId, status, dates, four counts, requested balance and points; a sub-account's list is empty.",
    tag: "facts/messages 5.13",
  },
  {
    id: "fallback",
    question: "What is sent in place of a message that failed?",
    choice:
      "The first of its replacements, else for a Kakao message without disableSms an SMS or LMS of replacementText or its text; the others follow in order as each fails or is refused.",
    tag: "facts/messages 2.10",
  },
  {
    id: "fallback-money",
    question: "What does a message in place of another cost?",
    choice:
      "Its own price, after the failed one was given back, points first; where that is too little it is kept with 1030 and not sent.",
    tag: "facts/messages 2.10",
  },
  {
    id: "fallback-counts",
    question: "How are messages in place of others counted?",
    choice:
      "In sentReplacement and countForCharge when they are sent, in the sent counts when they are handed over, never in total.",
    tag: "facts/messages 2.10",
  },
  {
    id: "request-order",
    question: "In which order is a request checked?",
    choice:
      "Route, credentials, account, member, role, account authentication, body and query, then the rules.",
    tag: "facts/auth-cash 1.3",
  },
  {
    id: "burnt-signature",
    question: "Does a refused request use up its signature?",
    choice: "Only from the moment that it was verified; a forged one never.",
    tag: "facts/auth-cash 2.4",
  },
  {
    id: "blank-rows",
    question: "What does a row of the permission table ask whose cells are blank?",
    choice: "Nothing; for POST send the row of send-many.",
    tag: "facts/messages 0.3",
  },
  {
    id: "query-operators",
    question: "What becomes of operators and parameters that are not declared?",
    choice:
      "An operator that is not allowed is 400 ValidationError, an unknown parameter is ignored.",
    tag: "facts/auth-cash 1.4",
  },
  {
    id: "query-lists",
    question: "How may a list be written in a query?",
    choice: "As JSON, by repeating the name (also with [] or [n]), or with commas.",
    tag: "facts/messages 1.4",
  },
  {
    id: "date-zone",
    question: "What is a date without a zone?",
    choice: "A time of UTC+9; a day alone is its first millisecond, as an upper bound its last.",
    tag: "facts/messages 1.5",
  },
  {
    id: "page-size",
    question: "What is answered to a limit below 1, above the maximum, or not whole?",
    choice: "400 ValidationError.",
    tag: "facts/auth-cash 1.6",
  },
];
