/** Columns that several commands of the sandbox show. */

/** How the sandbox is set; `business` first, so that `-q` prints the time that it is there. */
export const statusColumns = [
  "business",
  "signing",
  "tickMs",
  "rateLimit",
  "secondFactor",
  "seed",
  "store",
] as const;

export const clockColumns = ["business", "signing", "clockOffsetMs", "signingSkewMs"] as const;

export const faultColumns = [
  "faultId",
  "on",
  "do",
  "timesLeft",
  "probability",
  "happened",
] as const;

/** One message as its phone shows it. */
export const receivedColumns = [
  "messageId",
  "dateReceived",
  "to",
  "from",
  "type",
  "subject",
  "text",
  "imageId",
] as const;
