/** The choices about sending: checks, groups, delivery, lists. */

export const messageAssumptions = {
  messages: {
    "single-refusal": [
      "What does POST send answer when a registration check refuses the message?",
      "400 FailedToAddMessage with '<code>, <meaning>'; the group stays as FAILED with its message.",
    ],
    "check-order": [
      "In which order are the registration checks made?",
      "The order in which msg errors lists the codes; the first that fails gives the code.",
    ],
    "duplicate-scope": [
      "What counts as the same recipient?",
      "The same number in the same country, accepted before in the same group.",
    ],
    "no-balance": [
      "What becomes of a group that costs more than balance and points?",
      "402 NotEnoughBalance; the group stays as FAILED, its accepted messages end with 1030 and count as refused.",
    ],
    "quota-refusal": [
      "What is answered when the daily quota does not suffice?",
      "200 with the group FAILED and its messages at 1030; for POST send 400 FailedToAddMessage.",
    ],
    "all-refused": [
      "What is the status of a group whose messages were all refused?",
      "FAILED, not charged, HTTP 200.",
    ],
    "quota-day": ["Which day does the quota count?", "The day of UTC+9 in which a group is sent."],
    "group-price": [
      "What does 'price' of a group hold?",
      "An empty array for every country that it was sent to; nothing before.",
    ],
    "group-sum": [
      "When does 'sum' of balance and point of a group appear?",
      "0 until COMPLETE, then requested + replacement - refund.",
    ],
    "refund-order": [
      "To which wallet do the prices of failed messages go back?",
      "To the balance up to what it paid, the rest to the points: the last spent comes first.",
    ],
    delivery: [
      "How are messages delivered?",
      "At the carrier after one tick, reported after two; a recipient 0100000NNNN ends with the code NNNN, save that a code of Kakao's (31xx) does not hold for what is sent in place of a Kakao message.",
    ],
    "platform-failure": [
      "How is a message counted that the platform refuses after accepting it (2xxx)?",
      "In sentTotal and sentFailed, at the time of hand-over.",
    ],
    "unpublished-prices": [
      "What do types without a published price cost?",
      "nsa 15, rcs_sms 17, rcs_lms 35, rcs_mms 80, rcs_tpl 17 won, in every country.",
    ],
    "no-route": [
      "What happens to messages to a country without prices?",
      "They are refused with 1058.",
    ],
    "empty-recipients": [
      "What is a message whose 'to' is an empty list?",
      "One message without a recipient, refused with 1010.",
    ],
    "unpaired-surrogate": [
      "How is a text stored that is not UTF-8 (1027)?",
      "With U+FFFD in place of each half character.",
    ],
    "list-order": ["In which order do lists come?", "dateCreated descending, then id descending."],
    "next-key": [
      "What does 'nextKey' name?",
      "The first record of the next page, inclusive; null on the last page.",
    ],
    "start-key": [
      "What is answered to a startKey that names no record of the caller?",
      "400 ValidationError.",
    ],
    retention: [
      "When does a record vanish from lists?",
      "Six calendar months of UTC+9 after it was created.",
    ],
    "foreign-rows": [
      "What does a list show of another account's records?",
      "Nothing: they are not found.",
    ],
    "group-hint": [
      "What becomes of the 'hint' of a new group?",
      "It is taken and not kept; answers show null.",
    ],
    "deleted-groups": ["Are DELETED groups listed?", "Yes; their status tells."],
    "remove-unknown": [
      "What is answered to removing messages that a group does not hold?",
      "Each with resultCode ResourceNotFound; 400 ResourceNotFound when none was found.",
    ],
    "group-states": [
      "What is answered to an operation that the state of a group does not allow?",
      "400 or 409 with a code for the state; PENDING allows all but taking back a schedule.",
    ],
    "resend-counts": [
      "What does sending a failed group again do to its messages?",
      "Those that money or quota stopped (1030) are accepted again; the quota is not asked, but they count in it.",
    ],
    "group-columns": [
      "Which columns does the spreadsheet of groups have?",
      "groupId, status, dates, four counts, requested balance and points; a sub-account's list is empty.",
    ],
    fallback: [
      "What is sent in place of a message that failed?",
      "The first of its replacements, else for a Kakao message without disableSms an SMS or LMS of replacementText or its text; the others follow in order as each fails or is refused.",
    ],
    "fallback-money": [
      "What does a message in place of another cost?",
      "Its own price, after the failed one was given back, points first; where that is too little it is kept with 1030 and not sent.",
    ],
    "fallback-counts": [
      "How are messages in place of others counted?",
      "In sentReplacement and countForCharge when they are sent, in the sent counts when they are handed over, never in total.",
    ],
    "request-order": [
      "In which order is a request checked?",
      "Route, credentials, account, member, role, account authentication, body and query, then the rules.",
    ],
    "signature-used": [
      "Does a refused request use up its signature?",
      "Only from the moment that it was verified; a forged one never.",
    ],
    "blank-rows": [
      "What does a row of the permission table ask whose cells are blank?",
      "Nothing; for POST send the row of send-many.",
    ],
    "query-operators": [
      "What becomes of operators and parameters that are not declared?",
      "An operator that is not allowed is 400 ValidationError, an unknown parameter is ignored.",
    ],
    "query-lists": [
      "How may a list be written in a query?",
      "As JSON, by repeating the name (also with [] or [n]), or with commas.",
    ],
    "date-zone": [
      "What is a date without a zone?",
      "A time of UTC+9; a day alone is its first millisecond, as an upper bound its last.",
    ],
    "page-size": [
      "What is answered to a limit below 1, above the maximum, or not whole?",
      "400 ValidationError.",
    ],
  },
} as const;
