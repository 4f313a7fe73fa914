/** A person fills a group that a run made and knows nothing of, or changes it, and sends it: the rest still goes out. */
import { expect, test } from "vitest";
import { ended, program } from "../e2e/program.ts";
import { hurried } from "../support/clock.ts";
import { shell } from "../support/msg.ts";
import { envFor, numbersOf, rowsOf, sending } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";
import { isOf, onKind, strangers } from "./strangers.ts";

const { opened, nextBatch } = oneService();
const rows = 3;
const stranger = "01099999999";
const firewall = { status: 403, headers: { "content-type": "text/html" }, body: "<html>no</html>" };
const idIn = (body: string): string => JSON.parse(body).groupId;

const fill = async (id: string, numbers: readonly string[]): Promise<void> => {
  const at = shell({ env: envFor(opened()) });
  const words = ["group", "add", id, "-", "--from", "0200000000", "--text", "by hand"];
  const added = await at(words, { stdin: `to\n${numbers.join("\n")}\n` });
  expect(added.code, added.err).toBe(0);
};
const send = async (id: string): Promise<void> =>
  expect((await shell({ env: envFor(opened()) })(["group", "send", id, "-y"])).code).toBe(0);

test.each<readonly [string, (own: readonly string[]) => readonly string[]]>([
  ["someone else", () => [stranger]],
  ["as many others as there are rows", () => [stranger, "01099999998", "01099999997"]],
  ["one of the rows", ([, second = ""]) => [second]],
  ["one of the rows, and someone else", ([first = ""]) => [first, stranger]],
])(
  "a creation was not heard, and its group is sent to %s: each row goes out once",
  async (_, to) => {
    const first = nextBatch();
    const numbers = numbersOf(rows, first);
    const made: { id?: string; creations: number } = { creations: 0 };
    const line = await openLine({
      to: opened().baseUrl,
      harm: onKind("create", "dropAfter", (at) => at === 0),
      heard: (passing, { body }) => {
        if (isOf("create", passing)) made.id ??= idIn(body);
      },
      on: async (passing, moment) => {
        if (moment !== "arrived" || !isOf("create", passing)) return;
        made.creations += 1;
        if (made.creations !== 2 || made.id === undefined) return;
        await fill(made.id, to(numbers));
        await send(made.id);
      },
    });
    const at = shell({ env: envFor(line), ...hurried() });
    const ran = await at(sending("--json"), { stdin: rowsOf(rows, first) });
    const again = await at("send-many --resume last --json");
    await line.stop();
    expect([ran.code, opened().countsOf(numbers)], ran.err).toEqual([0, [1, 1, 1]]);
    expect(ran.json()).toMatchObject({ state: "done", accepted: rows, notSent: 0 });
    expect([again.code, opened().countsOf(numbers)], again.err).toEqual([0, [1, 1, 1]]);
  },
);

test("the half of a run whose folder is lost is sent with two more: the other half goes out, and no more", async () => {
  const first = nextBatch();
  const numbers = numbersOf(rows, first);
  const made: { id?: string } = {};
  const killing = { adds: 0, kill: (): void => undefined };
  const line = await openLine({
    to: opened().baseUrl,
    heard: (passing, { body }) => {
      if (isOf("create", passing)) made.id ??= idIn(body);
    },
    on: (passing, moment) => {
      if (moment !== "arrived" || !isOf("add", passing)) return;
      killing.adds += 1;
      if (killing.adds === 3) killing.kill();
    },
    harm: onKind("add", "dropBefore", (at) => at === 2),
  });
  const words = sending("--chunk", "1", "--concurrency", "1", "--json");
  const child = program().start(words, { stdin: rowsOf(rows, first), env: envFor(line) });
  killing.kill = () => child.kill("SIGKILL");
  expect((await ended(child)).code).toBeNull();
  await line.stop();
  await fill(made.id ?? "", [stranger, "01099999998"]);
  await send(made.id ?? "");
  expect(opened().countsOf(numbers)).toEqual([1, 1, 0]);
  const later = await openLine({
    to: opened().baseUrl,
    date: () => new Date(Date.now() + 120_000),
  });
  const ran = await shell({ env: envFor(later) })(words, { stdin: rowsOf(rows, first) });
  await later.stop();
  expect([ran.code, opened().countsOf(numbers)], ran.err).toEqual([0, [1, 1, 1]]);
  expect(ran.json()).toMatchObject({ state: "done", accepted: rows, notSent: 0 });
});

test("a group that was given up, and could not be deleted, is scheduled by hand: what it holds waits, and the rest", async () => {
  const first = nextBatch();
  const numbers = numbersOf(rows, first);
  const made: { id?: string; isMended: boolean; adds: number } = { isMended: false, adds: 0 };
  const line = await openLine({
    to: opened().baseUrl,
    heard: (passing, { body }) => {
      if (isOf("create", passing)) made.id ??= idIn(body);
    },
    harm: (passing) => {
      if (isOf("add", passing)) made.adds += 1;
      if (made.isMended) return undefined;
      if (isOf("delete", passing)) return "dropBefore";
      return isOf("add", passing) && made.adds > 2 ? firewall : undefined;
    },
  });
  const hour = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
  const at = shell({ env: envFor(line), ...hurried() });
  const words = sending("--chunk", "1", "--concurrency", "1", "--at", hour, "--settle", "0");
  const stopped = await at([...words, "--json"], { stdin: rowsOf(rows, first) });
  expect(stopped.code, stopped.err).toBe(10);
  const own = shell({ env: envFor(opened()) });
  const scheduled = await own(["group", "schedule", made.id ?? "", hour, "-y"]);
  expect(scheduled.code, scheduled.err).toBe(0);
  expect(opened().promisesTo(numbers)).toEqual([1, 1, 0]);
  made.isMended = true;
  const resumed = await at("send-many --resume last --settle 2s --json");
  await line.stop();
  expect([resumed.code, opened().promisesTo(numbers)], resumed.err).toEqual([0, [1, 1, 1]]);
  expect(resumed.json()).toMatchObject({ state: "scheduled", accepted: rows, notSent: 0 });
});

test.each([true, false])(
  "msg group add is asked to slow down, performed: %s: it is called refused only where it was not added",
  async (performed) => {
    const first = nextBatch();
    const [limited] = strangers(0).slice(-1);
    const isLimited = onKind("add", { ...(limited?.answer ?? firewall), performed });
    const line = await openLine({ to: opened().baseUrl, harm: isLimited });
    const at = shell({ env: envFor(line), ...hurried() });
    const id = idIn((await at("group create --json")).out);
    const words = ["group", "add", id, "-", "--from", "0200000000", "--text", "by hand", "--json"];
    const ran = await at(words, { stdin: rowsOf(rows, first) });
    await line.stop();
    const { outcome } = JSON.parse(ran.err).error;
    expect([ran.code, outcome]).toEqual(performed ? [11, "unknown"] : [10, "refused"]);
  },
);
