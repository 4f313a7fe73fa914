/** How many messages there are, and of which types: what a price is made of. */
import type { MessageInput } from "../../contract/message-records.ts";
import { type Counts, type Tally, tally, tallyFallback } from "../../message/price.ts";
import type { Representative } from "../messages/fast-rows.ts";

export interface Totals {
  readonly messages: number;
  readonly counts: Counts;
  /** What goes out in place of messages that Kakao cannot deliver. */
  readonly fallback: Counts;
}

export class Amounts {
  readonly #counts: Tally = new Map();
  readonly #fallback: Tally = new Map();
  /** Messages that took the fast path, by their class. */
  readonly #byClass = new Map<Representative, number>();
  #messages = 0;

  add(message: MessageInput): void {
    tally(this.#counts, message);
    tallyFallback(this.#fallback, message);
    this.#messages += 1;
  }

  /** One that was checked as this one. */
  addLike(representative: Representative): void {
    this.#byClass.set(representative, (this.#byClass.get(representative) ?? 0) + 1);
    this.#messages += 1;
  }

  /** With those of `others`, where there are some. */
  totals(others = new Amounts()): Totals {
    const counts: Tally = new Map();
    const fallback: Tally = new Map();
    for (const it of [this, others]) {
      addTo(counts, it.#counts);
      addTo(fallback, it.#fallback);
      for (const [{ message }, times] of it.#byClass) {
        tally(counts, message, times);
        tallyFallback(fallback, message, times);
      }
    }
    return { counts, fallback, messages: this.#messages + others.#messages };
  }
}

const addTo = (sum: Tally, some: Counts): void => {
  for (const [country, row] of some) {
    const total = sum.get(country) ?? new Map();
    for (const [type, count] of row) total.set(type, (total.get(type) ?? 0) + count);
    sum.set(country, total);
  }
};
