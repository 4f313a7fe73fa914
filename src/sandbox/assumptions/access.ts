/** The choices about who may ask, and how much. */
export const accessAssumptions = [
  {
    id: "salt-and-date",
    question: "What is answered to a salt of another size, or a date that is none?",
    choice: "400 ValidationError.",
    tag: "facts/auth-cash 2.4",
  },
  {
    id: "no-credentials",
    question: "What is answered to a missing or malformed Authorization header?",
    choice: "401 Unauthorized.",
    tag: "facts/auth-cash 2.4",
  },
  {
    id: "permission-errors",
    question: "What is answered to a caller who lacks role, status or authentication?",
    choice: "403 with Forbidden, Inactive…, Deleted…, UnverifiedMember or AccountNotAuthenticated.",
    tag: "facts/auth-cash 4.5",
  },
  {
    id: "unknown-route",
    question: "What is answered to a path or method that does not exist?",
    choice: "404 ResourceNotFound, before credentials are looked at.",
    tag: "facts/auth-cash 1.3",
  },
  {
    id: "body-limit",
    question: "What is answered to a body of more than 15 MB?",
    choice: "413 ValidationError.",
    tag: "facts/messages 1.7",
  },
  {
    id: "body-depth",
    question: "How deep may a body be nested?",
    choice: "64 levels, then 400 ValidationError.",
    tag: "facts/auth-cash 1.2",
  },
  {
    id: "rate-limit",
    question: "How many requests may a caller make?",
    choice:
      "As many as it likes; with msg sandbox set --rate-limit n a key makes n a second, then 429 TooManyRequests.",
    tag: "facts/auth-cash 11",
  },
  {
    id: "oauth-checks",
    question:
      "In which order is a request for consent checked, and what of redirect_uri must match?",
    choice:
      "As in facts/auth-cash 3.2; the host name must match, port and path are free, http is for loopback, user names and fragments are refused.",
    tag: "facts/auth-cash 3.2",
  },
  {
    id: "oauth-headless",
    question: "How does a client without a browser get a code?",
    choice:
      "GET authorize with Accept: application/json grants everything that is asked for, as the owner of the first account.",
    tag: "facts/auth-cash 3.2",
  },
  {
    id: "bearer-refused",
    question: "What is answered to a token that is malformed, expired or revoked?",
    choice: "401 Unauthorized.",
    tag: "facts/auth-cash 3.5",
  },
  {
    id: "user-profile",
    question: "What does userprofile answer?",
    choice: "memberId, accountId, name, email and status.",
    tag: "facts/auth-cash 3.6",
  },
] as const;
