/** Compares secrets so that the time it takes tells nothing of where they differ. */
import { createHash, timingSafeEqual } from "node:crypto";

/** Both sides are digested first: neither length nor content shows. */
export const sameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(digest(left), digest(right));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
