import { tool } from "../../../cli/command.ts";

export const approverColumns = ["name", "key"] as const;

/** In the form that people pass on: a name, and the key that approves under it. */
export const approverRows = (approvers: Readonly<Record<string, string>>) =>
  Object.entries(approvers).map(([name, key]) => ({ name, key }));

export default tool({
  columns: approverColumns,
  examples: [
    "msg profile approver list",
    "msg profile approver list -p work --json",
    "msg profile approver list --fields key",
  ],
  run: async ({ settings }) => ({ rows: approverRows(settings.approvers.value) }),
});
