/** The date of a signature. */

/**
 * Requests are signed this far in the past. The service forgets a signature 15 minutes after it arrived
 * and refuses one that is 15 minutes old: a date that lies ahead of its clock would outlive its memory,
 * and a copy that the network holds back could be executed a second time.
 */
export const backdatedMs = 5 * 60_000;
