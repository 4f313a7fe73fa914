/** Lists whose group the service refused as a whole, and how their rows go out after that. */
import { beforeEach, expect } from "vitest";
import { hurriedWorld } from "../support/clock.ts";
import { type Shell, shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";

export const retrying = (run: string, ...how: readonly string[]): readonly string[] => [
  "send-many",
  "--retry-refused",
  run,
  "--json",
  ...how,
];

export const codeOf = (err: string): unknown =>
  JSON.parse(err.trim().split("\n").at(-1) ?? "{}").error.code;

/** One service for all tests of a file. */
export const openRefusals = () => {
  const clock = hurriedWorld();
  const { opened, nextBatch } = oneService(clock.now);
  /** Whoever may be at work is waited for. */
  const machine = (): Shell => shell(clock);
  beforeEach(async () => {
    await quotaOf(1_000_000);
  });
  const quotaOf = (quota: number): Promise<void> => change({ quota });

  const change = async (settings: object): Promise<void> => {
    const url = new URL("/_sandbox/settings", opened().baseUrl);
    const body = JSON.stringify(settings);
    const answer = await fetch(url, {
      ...{ method: "PUT", body, headers: { "content-type": "application/json" } },
    });
    expect(answer.status, await answer.text()).toBe(200);
  };

  /** A list whose group the service refused as a whole: the quota was used up meanwhile. Then there is enough again. */
  const refused = async (at: Shell, ...more: readonly string[]) => {
    const first = nextBatch();
    const words = sending("--json", ...more);
    const stdin = rowsOf(3, first);
    const env = envFor(opened());
    const run = await refusedRun(at, words, stdin);
    const sent = (): number[] => opened().countsOf(numbersOf(3, first));
    const asBefore = (other: Shell) => other(words, { stdin, env });
    const retry = (...how: readonly string[]) => at(retrying(run, ...how), { env });
    /** A retry that was refused as a whole, too. */
    const retryInVain = () => refusedRun(at, retrying(run));
    const [groupId = ""] = await failedGroups(at);
    return { run, groupId, sent, asBefore, retry, retryInVain, env };
  };

  /** The id of a run that these words begin, and whose group the service refuses as a whole. */
  const refusedRun = async (at: Shell, words: readonly string[], stdin = ""): Promise<string> => {
    const env = envFor(opened());
    const paste = async (): Promise<string> => {
      await quotaOf(1);
      return "y";
    };
    const ran = await at(words, { ...(stdin !== "" && { stdin }), env, tty: 100, paste });
    expect(ran.code, ran.err).toBe(10);
    await quotaOf(1_000_000);
    return JSON.parse(ran.out).run;
  };

  /** The newest first. */
  const failedGroups = async (at: Shell): Promise<readonly string[]> => {
    const words = "group list --criteria status --cond eq --value FAILED --json";
    const listed = (await at(words, { env: envFor(opened()) })).out;
    const groups: readonly { readonly groupId: string }[] = JSON.parse(listed);
    return groups.map(({ groupId }) => groupId);
  };
  return { opened, nextBatch, machine, quotaOf, change, refused, failedGroups };
};

export type Refused = Awaited<ReturnType<ReturnType<typeof openRefusals>["refused"]>>;
