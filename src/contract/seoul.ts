/** The service's clock: UTC+9 the year round. */

export const seoulOffsetMs = 9 * 3_600_000;

/** The hour of the day in Korea. */
export const hourInSeoul = (instant: Date): number =>
  new Date(instant.getTime() + seoulOffsetMs).getUTCHours();

/** When a month (1 to 12) ends there, in milliseconds: a card is good until then. */
export const endOfMonth = (year: number, month: number): number =>
  Date.UTC(year, month) - seoulOffsetMs;
