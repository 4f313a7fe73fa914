/** The choices about spreadsheets, statistics and prices. */
export const documentAssumptions = [
  {
    id: "statistics-range",
    question: "Which days do statistics cover, and when does a day begin?",
    choice:
      "From the first of the month of endDate to now where nothing is given; days and months of UTC+9, the earliest first; messages by their creation, money by its movement.",
    tag: "facts/messages 6.1",
  },
  {
    id: "statistics-accounts",
    question: "Whose messages are counted where masterAccountId or subAccountId names an account?",
    choice:
      "The caller's where it names the caller: it has no sub-accounts. Nobody's where it names another.",
    tag: "facts/messages 6.1, 6.2",
  },
  {
    id: "statistics-averages",
    question: "What are the averages of statistics divided by?",
    choice: "By the days, or months, on which anything was sent or paid; not rounded.",
    tag: "facts/messages 6.1",
  },
  {
    id: "statistics-daily",
    question: "What is a row of daily statistics?",
    choice:
      "One day, app and way of paying; no tax invoices and no settled profit, so those filters find nothing.",
    tag: "facts/messages 6.3",
  },
  {
    id: "sheet-columns",
    question: "Which columns do the spreadsheets have?",
    choice: "Those of facts/messages 4.3 and 6.2, in bold; a sub-account's sheet has no more.",
    tag: "facts/messages 4.3, 6.2",
  },
  {
    id: "sheet-rows",
    question: "How many messages does a spreadsheet hold?",
    choice: "10,000 where no limit is given, 50,000 at most, the newest first.",
    tag: "facts/messages 4.3",
  },
  {
    id: "price-order",
    question: "In which order do the prices of countries come?",
    choice: "82 first, then by number.",
    tag: "facts/messages 7.2",
  },
  {
    id: "price-auth",
    question: "Which prices have serviceMethod AUTH?",
    choice: "None.",
    tag: "facts/messages 7.2",
  },
];
