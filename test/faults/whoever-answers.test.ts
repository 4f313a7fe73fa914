/** Attacks that once made `msg` send twice or say what was not so, as they were first seen. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ended, freshFolder } from "../e2e/program.ts";
import { hurried, hurriedWorld } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { atHome } from "./at-home.ts";
import { envFor, numbersOf, openService, rowsOf, sending } from "./books.ts";
import { contradictions } from "./claims.ts";
import { type LineOptions, openLine, type Refused } from "./line.ts";
import { oneService } from "./one-service.ts";
import { answeringForAnother, holdingBack, isOf, onKind } from "./strangers.ts";

const { opened, nextBatch } = oneService();
const minuteMs = 60_000;
const rows = 10;
const once = Array.from({ length: rows }, () => 1);

/** A home of its own, over a line to the service; each claim is checked. */
const openAttack = async (options: Omit<LineOptions, "to">, count = rows) => {
  const first = nextBatch();
  const line = await openLine({ to: opened().baseUrl, ...options });
  const msg = atHome();
  const env = envFor(line);
  const sent = (): number[] => opened().countsOf(numbersOf(count, first));
  const run = async (words: readonly string[]) => {
    const before = sent();
    const stdin = rowsOf(count, first);
    const told = await msg([...words, "--json"], { env, stdin, ...hurried() });
    expect(contradictions(told, { sent: sent(), before }), told.err).toEqual([]);
    return told;
  };
  return { line, msg, env, first, sent, run };
};

const resume = ["send-many", "--resume", "last"];
const direct = ["--direct", "--settle", "2s"];
const firewall: Refused = {
  performed: true,
  status: 403,
  headers: { "content-type": "text/html" },
  body: "<html>Access denied</html>",
};

describe("a firewall answers 403 text/html in place of the service", () => {
  test("to send-many --direct: it is not called not sent, and --resume sends nothing twice", async () => {
    const { line, run, sent } = await openAttack({ harm: onKind("call", firewall) });
    const told = await run(sending("--direct", "--settle", "0"));
    expect([0, 11], told.err).toContain(told.code);
    expect((await run(resume)).code).toBe(0);
    await line.stop();
    expect(sent()).toEqual(once);
  });

  test("to whatever sends a group: send-many is sent once, and --resume sends nothing twice", async () => {
    const { line, run, sent } = await openAttack({ harm: onKind("send", firewall) });
    expect((await run(sending())).code).toBe(0);
    expect((await run(resume)).code).toBe(0);
    await line.stop();
    expect(sent()).toEqual(once);
  });
});

test("a firewall answers one add while another is under way: the group is deleted behind its answer", async () => {
  const seen: { isEarly?: boolean; delete: () => void } = { delete: () => undefined };
  const deletion = new Promise<boolean>((done) => {
    seen.delete = () => done(true);
  });
  const { line, run, sent } = await openAttack({
    harm: onKind("add", { ...firewall, performed: false }, (at) => at === 0),
    on: async (passing, moment) => {
      if (isOf("delete", passing)) seen.delete();
      if (moment === "performed" && isOf("add", passing))
        seen.isEarly ??= await Promise.race([deletion, delay(200, false)]);
    },
  });
  const told = await run(sending("--staged", "--chunk", "5", "--concurrency", "2"));
  await line.stop();
  expect([told.code, sent(), seen.isEarly], told.err).toEqual([0, once, false]);
});

test("a 429 of something else behind send-many: it is not signed anew, nobody is written to twice", async () => {
  const limit: Refused = { ...firewall, status: 429, headers: { "retry-after": "1" }, body: "" };
  const { line, run, sent } = await openAttack({ harm: onKind("call", limit) });
  const told = await run(sending(...direct));
  await line.stop();
  expect([told.code, sent()], told.err).toEqual([0, once]);
});

test("a Date 20 minutes ahead, and a call that is held back: it is not signed anew", async () => {
  const { harm, release } = holdingBack("call");
  const date = (): Date => new Date(Date.now() + 20 * minuteMs);
  const { line, run, sent } = await openAttack({ harm, date });
  const told = await run(sending(...direct));
  await release();
  expect((await run(resume)).code, told.err).toBe(0);
  await line.stop();
  expect(sent()).toEqual(once);
});

test("POST groups/B/send is answered with the answer of A, and not forwarded: B is sent all the same", async () => {
  const { harm, heard } = answeringForAnother("send", false, 1);
  const { line, run, sent } = await openAttack({ harm, heard });
  const told = await run(sending("--chunk", "5", "--group-size", "5"));
  expect([told.code, sent()], told.err).toEqual([0, once]);
  expect((await run(resume)).code).toBe(0);
  await line.stop();
  expect(sent()).toEqual(once);
});

describe("a machine that is 4 minutes ahead of the service", () => {
  test.each([15, 16, 17, 18, 19])("a copy that arrives %i minutes later is dead", async (late) => {
    const clock = hurriedWorld();
    const service = await openService(freshFolder(), clock.now);
    const { harm, release } = holdingBack("call");
    const line = await openLine({ to: service.baseUrl, harm });
    const now = (): Date => new Date(clock.now().getTime() + 4 * minuteMs);
    const at = shell({ ...clock, now, env: envFor(line) });
    const told = await at(sending("--direct"), { stdin: rowsOf(rows) });
    clock.pass(late * minuteMs);
    await release();
    await line.stop();
    const sent = service.countsOf(numbersOf(rows));
    await service.stop();
    expect([told.code, sent], told.err).toEqual([0, once]);
  });
});

describe("a run of 30 is killed when its group holds 5", () => {
  const count = 30;

  test.each<readonly [string, readonly string[]]>([
    ["sends", ["group", "send"]],
    ["deletes", ["group", "delete"]],
  ])(
    "somebody %s the group: --resume sends each row once, and the counts add up",
    async (_, act) => {
      const adds = { count: 0, kill: (): void => undefined };
      const { line, msg, env, first, run, sent } = await openAttack(
        {
          on: (passing, moment) => {
            if (!isOf("add", passing) || moment !== "arrived") return;
            adds.count += 1;
            if (adds.count === 2) adds.kill();
          },
        },
        count,
      );
      const words = sending("--staged", "--chunk", "5", "--concurrency", "1");
      const child = msg.start(words, { env, stdin: rowsOf(count, first) });
      adds.kill = () => child.kill("SIGKILL");
      expect((await ended(child)).code).toBeNull();

      const other = shell({ env: envFor(opened()) });
      const listed = await other("group list --limit 1 --json --fields groupId");
      const [group]: readonly { groupId: string }[] = JSON.parse(listed.out);
      expect((await other([...act, group?.groupId ?? "", "-y"])).code).toBe(0);

      const told = await run(resume);
      expect([told.code, sent()], told.err).toEqual([0, Array.from({ length: count }, () => 1)]);
      expect(JSON.parse((await run(["run", "show", "last"])).out)).toMatchObject({
        ...{ state: "done", total: count, accepted: count, notSent: 0, unknown: 0 },
      });
      await line.stop();
    },
  );
});
