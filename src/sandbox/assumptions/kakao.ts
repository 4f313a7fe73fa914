/** The choices about Kakao channels and templates, and who may use them (assumptions.ts). */

export const kakaoAssumptions = [
  {
    id: "unlisted-roles",
    question: "Which roles include the permissions that no table lists?",
    choice:
      "role-kakao and role-webhook: developers read and write; role-quota: all read; role-accounts: developers read.",
    tag: "facts/auth-cash 4.3",
  },
  {
    id: "template-copies",
    question: "In what do the two copies of an update's answer differ?",
    choice: "In nothing: dateUpdated is the instant of the request in both.",
    tag: "facts/kakao-storage 2.2",
  },
  {
    id: "template-states",
    question: "Which states allow a template to be updated or deleted?",
    choice: "PENDING and REJECTED at every provider; else 409 FailedToUpdate.",
    tag: "facts/kakao-storage 1.3",
  },
  {
    id: "template-review",
    question: "When does a review end?",
    choice: "When msg sandbox review says so; a rejection always carries a comment of the staff.",
    tag: "facts/kakao-storage 11",
  },
  {
    id: "comment-length",
    question: "How long may a comment on a template be?",
    choice: "1 to 1,000 characters, in every state.",
    tag: "facts/kakao-storage 2.7",
  },
  {
    id: "status-filter",
    question: "Which templates does the filter 'status' find?",
    choice: "Those of which any provider's entry has it; hidden and visible ones alike.",
    tag: "facts/kakao-storage 2.6",
  },
  {
    id: "link-token",
    question: "What is the token that links a channel?",
    choice:
      "Six digits, valid for 10 minutes and once, for the newest request of the same searchId and phone; else 400 InvalidToken. A second link is 409 AlreadyLinked.",
    tag: "facts/kakao-storage 11",
  },
  {
    id: "template-match",
    question: "When does a text keep to its template?",
    choice:
      "When it is the content with every variable replaced by anything, also by nothing; a variable that was not replaced is 1043.",
    tag: "facts/messages 2.4",
  },
  {
    id: "template-buttons",
    question: "When do buttons of a message differ from the template's?",
    choice:
      "None given: the template's are used. Fewer are 1046, more 1047, another kind or name in a place 1052, another address 1045.",
    tag: "facts/messages 2.4",
  },
] as const;
