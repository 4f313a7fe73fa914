/** The service's own clock: UTC+9 the year round (specification, conventions). */

export const seoulOffsetMs = 9 * 3_600_000;
