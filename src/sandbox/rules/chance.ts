/** Chance that a test can repeat: it follows from the seed and from how often it was asked for. */
import { mix } from "../store/ids.ts";
import type { Store } from "../store/store.ts";

/** True with this probability; the same seed gives the same row of answers. */
export const happens = (store: Store, probability: number): boolean => {
  const number = store.counters.take("chance", 1);
  return mix(mix(store.settings.get("idSeed")) ^ number) / 2 ** 32 < probability;
};
