/** plan.jsonl, beneath a run of which nobody knows what became of it: without it nothing can be looked for. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hurried } from "../support/clock.ts";
import { type Shell, shell } from "../support/msg.ts";

const stdin = "to\n01000000001\n01000000002\n";
const line = "send-many - --sandbox --from 0200000000 --text x --json";
const fault = (at: Shell, on: string, what: string, times = 1) =>
  at(["sandbox", "fault", "add", "--sandbox", "--on", on, "--do", what, "--times", `${times}`]);

const harms: Readonly<Record<string, (path: string) => void>> = {
  deleted: (path) => rmSync(path),
  damaged: (path) => writeFileSync(path, "{}\n"),
};

const planOf = (at: Shell): string => {
  const runs = join(at.folder, "state/runs");
  const [run = ""] = readdirSync(runs).filter((it) => !it.startsWith("."));
  return join(runs, run, "plan.jsonl");
};

/** The pauses that were waited for. */
const counting = () => {
  const waits = { count: 0 };
  const wait = async (): Promise<void> => {
    waits.count += 1;
  };
  return { waits, wait };
};

describe.each(Object.keys(harms))("%s beneath a call in doubt", (how) => {
  const inDoubt = async (flags = "--no-tag"): Promise<Shell> => {
    const at = shell({ ...hurried() });
    await fault(at, "POST /messages/v4/send-many", "drop-after");
    if (flags === "") await fault(at, "GET /messages/v4/list", "status:400");
    const ran = await at(`${line} --direct --settle 0 ${flags}`, { stdin });
    expect(ran.code, ran.err).toBe(11);
    harms[how]?.(planOf(at));
    return at;
  };

  test.each(["send-many --resume last", "run reconcile last"])(
    "%s stops at once with exit 11",
    async (words) => {
      const at = await inDoubt("");
      const { waits, wait } = counting();
      const { code, err } = await at(`${words} --sandbox --json`, { wait });
      expect([code, waits.count, JSON.parse(err).error], err).toEqual([
        11,
        0,
        expect.objectContaining({
          outcome: "unknown",
          message: expect.stringContaining("2 messages may or may not have been sent"),
        }),
      ]);
      expect(err).toContain("plan.jsonl");
    },
  );

  test("an operator's word settles it, when no copy can arrive any more", async () => {
    const at = await inDoubt();
    const early = await at("run reconcile last --sandbox --json --not-sent 1");
    expect([early.code, JSON.parse(early.err).error.code], early.err).toEqual([7, "TooEarly"]);
    const told = await at("run reconcile last --sandbox --json --accepted 1");
    expect([told.code, told.json()], told.err).toEqual([
      0,
      expect.objectContaining({ accepted: 2, unknown: 0 }),
    ]);
  });

  test("send --once whose group may have been sent needs no plan: it is sent once, exit 0", async () => {
    const at = shell({ ...hurried() });
    await fault(at, "POST /messages/v4/groups/*/send", "drop-before", 1);
    const send = "send --to 01000000001 --from 0200000000 --text x --once a --sandbox --json";
    expect((await at(`${send} --settle 0`)).code).toBe(11);
    harms[how]?.(planOf(at));
    const { code, err } = await at(send);
    expect(code, err).toBe(0);
    expect(JSON.parse((await at("message list --sandbox --json")).out)).toHaveLength(1);
  });

  test.each([
    ["before its first request", "--direct --max-cost 1", 7],
    ["while it is filled", "--chunk 2", 10],
  ])(
    "of a run that stopped %s: nothing is sent, exit 2, and it goes on when it is put back",
    async (_, flags, code) => {
      const at = shell({ ...hurried() });
      await fault(at, "PUT /messages/v4/groups/*/messages", "rate-limit", 5);
      const ran = await at(`${line} ${flags}`, { stdin });
      expect(ran.code, ran.err).toBe(code);
      const plan = planOf(at);
      const kept = readFileSync(plan);
      harms[how]?.(plan);
      const resume = "send-many --resume last --sandbox --json --max-cost 1000";
      const stopped = await at(resume);
      expect([stopped.code, JSON.parse(stopped.err).error]).toEqual([
        2,
        expect.objectContaining({
          code: "PlanDamaged",
          outcome: "not_sent",
          hint: expect.stringMatching(/restore plan.jsonl, then resume: msg send-many/),
        }),
      ]);
      writeFileSync(plan, kept);
      expect((await at(resume)).json()).toMatchObject({ state: "done", accepted: 2 });
    },
  );
});
