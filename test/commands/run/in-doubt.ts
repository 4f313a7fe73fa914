/** Runs of which nobody knows what became of them, in a sandbox of their own; and how they are looked at. */
import { expect } from "vitest";
import { hurried } from "../../support/clock.ts";
import { type Options, type Shell, shell } from "../../support/msg.ts";

export const reconcile = "run reconcile last --sandbox --settle 0 --json";

export const shown = async (at: Shell): Promise<unknown> =>
  (await at("run show last --sandbox --json")).json();

export const fault = (at: Shell, on: string, what: string, ...flags: readonly string[]) =>
  at(["sandbox", "fault", "add", "--sandbox", "--on", on, "--do", what, ...flags]);

interface Listed {
  readonly groupId: string;
  readonly status: string;
}

/** The groups of the account, the newest first. */
export const groupsOf = async (at: Shell): Promise<readonly [Listed, ...Listed[]]> =>
  JSON.parse((await at("group list --sandbox --json")).out);

const ended = async (at: Shell, flags: string, stdin: string, options: Options = {}) => {
  const line = `send-many - --sandbox --text x --settle 0 --json ${flags}`;
  const { code, err } = await at(line, { ...options, stdin });
  expect(code, err).toBe(11);
  return at;
};

/** The answer to the first recipient is lost; without the run's mark nothing proves what became of it. */
export const callInDoubt = (options?: Options): Promise<Shell> =>
  ended(
    shell(hurried()),
    "--direct --from 0200000000 --no-tag",
    "to\n01000009999\n01000000002\n",
    options,
  );

/** A run whose only group was filled; the request that sends it never arrived, and nobody knows. */
export const groupInDoubt = async (): Promise<Shell> => {
  const at = shell(hurried());
  await fault(at, "POST /messages/v4/groups/*/send", "drop-before");
  const senders = ["0200000000", "0200000000", "0299999999"];
  const rows = senders.map((from, index) => `0100000000${index + 1},${from}\n`);
  await ended(at, "--staged", `to,from\n${rows.join("")}`);
  await at("sandbox fault clear --sandbox");
  return at;
};
