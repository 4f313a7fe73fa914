/** What to do where a token lacks a scope. Loaded when met. */
import { scopes } from "../contract/scopes.ts";

/** Another login asks for it beside what is `held`; what apps may not ask for needs a key. */
export const scopeTodo = (scope: string, held: readonly string[], login: string): string =>
  scopes.some((it) => it.name === scope && !it.apps)
    ? `apps may not ask for it; log in with an API key: ${login}`
    : `log in with it: ${login} --web --scope "${[...held, scope].join(" ")}"`;
