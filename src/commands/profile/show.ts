import { tool } from "../../cli/command.ts";
import type { Resolved, Settings } from "../../config/settings.ts";

export default tool({
  columns: ["setting", "value", "from"],
  examples: ["msg profile show", "msg profile show -p work --json", "msg profile show --sandbox"],
  run: async ({ settings }) => ({ rows: rowsOf(settings) }),
});

/** Every setting in the order in which people look for it; never a secret. */
const rowsOf = (settings: Settings) => {
  const row = (setting: string, { value, from }: Resolved<unknown>) => ({
    setting,
    value: value ?? null,
    from,
  });
  const { value: credentials, ...source } = settings.credentials;
  const apiKey = credentials?.kind === "key" ? `…${credentials.apiKey.slice(-4)}` : undefined;
  return [
    row("profile", settings.profile),
    row("baseUrl", settings.baseUrl),
    row("authUrl", settings.authUrl),
    row("credentials", { ...source, value: credentials?.kind }),
    row("apiKey", { ...source, value: apiKey }),
    row("from", settings.from),
    row("maxCost", settings.maxCost),
    row("maxRecipients", settings.maxRecipients),
    row("protected", settings.protected),
    row("confirmRows", settings.confirmRows),
    row("confirmCost", settings.confirmCost),
    row("approval", settings.approval),
    row("approvalAbove", settings.approvalAbove),
    row("tz", settings.timeZone),
    row("lang", settings.language),
    row("output", settings.output),
    row("timeoutMs", settings.timeoutMs),
    row("noInput", settings.noInput),
  ];
};
