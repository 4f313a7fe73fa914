/** Times as answers write them: ISO 8601, UTC, milliseconds. */

export const timeOf = (ms: number): string => new Date(ms).toISOString();

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms));
