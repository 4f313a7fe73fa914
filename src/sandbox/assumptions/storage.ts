/** The choices about files, quota and apps. */

export const storageAssumptions = [
  {
    id: "file-checks",
    question: "How does an upload check a file?",
    choice:
      "Size, then format by its bytes, then dimensions; 413 FileSizeTooBig, 403 ImageTypeNotSupported, 413 ImageResolutionSizeTooBig.",
    tag: "facts/kakao-storage 3.2, 3.3",
  },
  {
    id: "kakao-addresses",
    question: "Which provider has a new picture of type KAKAO?",
    choice: "Provider B; provider A has none.",
    tag: "facts/kakao-storage 11",
  },
  {
    id: "file-in-use",
    question: "What is answered to deleting a file that something uses?",
    choice: "409 FileInUse; a quota request that names a file uses it.",
    tag: "facts/kakao-storage 3.6",
  },
  {
    id: "file-start-key",
    question: "What does 'startKey' of a page of files say?",
    choice: "What the caller asked for; null on the first page.",
    tag: "facts/kakao-storage 0.4",
  },
  {
    id: "quota-request",
    question: "What becomes of a request that is pending when another is made?",
    choice: "It is rejected as 'superseded'; msg sandbox quota-review decides on the new one.",
    tag: "facts/kakao-storage 4.3",
  },
  {
    id: "app-profits",
    question: "What is 'expectedProfit', and what does 'type' filter?",
    choice:
      "What apps earned in the span with messages that were sent, and were not paid out; 'type' filters nothing.",
    tag: "facts/kakao-storage 5.2",
  },
  {
    id: "app-live",
    question: "What is answered to setting an app live that is live, or not the caller's?",
    choice: "200 with the app unchanged; 404 ResourceNotFound.",
    tag: "facts/kakao-storage 5.3",
  },
] as const;
