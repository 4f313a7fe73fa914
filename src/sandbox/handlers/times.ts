/** Times as answers write them: ISO 8601, UTC, milliseconds. */

export const timeOf = (ms: number): string => new Date(ms).toISOString();

/** When a record was made and when it was changed last. */
export const datesOf = (row: { readonly created: number; readonly updated: number }) => ({
  dateCreated: timeOf(row.created),
  dateUpdated: timeOf(row.updated),
});

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms));
