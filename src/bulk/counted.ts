/** Numbers of messages in a sentence. */

/** `1 message`, `3 messages`. */
export const counted = (count: number): string => `${count} message${count === 1 ? "" : "s"}`;
