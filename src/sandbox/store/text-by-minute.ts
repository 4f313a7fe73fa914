/** The beginning of a time as text: rows that are shown together were mostly made in the same minutes. */

const minuteMs = 60_000;
/** Minutes that are kept. */
const max = 1_000;

/** What `part` takes out of the ISO 8601 text of the minute that an instant lies in. */
export const textsByMinute = (part: (iso: string) => string): ((ms: number) => string) => {
  const known = new Map<number, string>();
  return (ms) => {
    const minute = Math.floor(ms / minuteMs);
    const found = known.get(minute);
    if (found !== undefined) return found;
    if (known.size >= max) known.clear();
    const text = part(new Date(minute * minuteMs).toISOString());
    known.set(minute, text);
    return text;
  };
};
