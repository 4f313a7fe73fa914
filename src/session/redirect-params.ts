/** What the redirect address receives, in each of its forms: an address, JSON, or the code alone. */

export interface RedirectParams {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  /** The user said no, or the service did. */
  readonly error?: string | undefined;
}

/** Reads an address with a query, an object in JSON, or a bare code; undefined for anything else. */
export const parseRedirect = (text: string): RedirectParams | undefined => {
  const trimmed = text.trim();
  if (URL.canParse(trimmed)) return fromQuery(new URL(trimmed).searchParams);
  if (trimmed.startsWith("{")) return fromJson(trimmed);
  return /^[\w.~-]{8,}$/.test(trimmed) ? { code: trimmed } : undefined;
};

const fromQuery = (query: URLSearchParams): RedirectParams | undefined =>
  some({
    code: query.get("code") ?? undefined,
    state: query.get("state") ?? undefined,
    error: query.get("error") ?? undefined,
  });

const fromJson = (text: string): RedirectParams | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    return some({
      code: textIn(value, "code"),
      state: textIn(value, "state"),
      error: textIn(value, "error"),
    });
  } catch {
    return undefined;
  }
};

const textIn = (value: object, name: string): string | undefined => {
  const found: unknown = new Map<string, unknown>(Object.entries(value)).get(name);
  return typeof found === "string" ? found : undefined;
};

const some = (found: RedirectParams): RedirectParams | undefined =>
  found.code === undefined && found.error === undefined ? undefined : found;
