/** `run reconcile`: evidence for what is in doubt, and the operator's word for what nothing proves. */
import { expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";

/** The answer to the first recipient is lost; without the run's mark nothing proves what became of it. */
const rows = "to\n01000009999\n01000000002\n";
const inDoubt = async (): Promise<Shell> => {
  const at = shell();
  const line = "send-many - --sandbox --from 0200000000 --text x --no-tag --settle 0";
  expect((await at(line, { stdin: rows })).code).toBe(11);
  return at;
};
const reconcile = "run reconcile last --sandbox --settle 0 --json";
const shown = async (at: Shell) => (await at("run show last --sandbox --json")).json();
const later = () => new Date(Date.now() + 17 * 60_000);

test("without an answer it shows what the service holds, changes nothing and ends with 11", async () => {
  const at = await inDoubt();
  const ran = await at(reconcile);
  expect(ran.code).toBe(11);
  const { error } = JSON.parse(ran.err);
  expect(error).toMatchObject({ code: "OutcomeUnknown", outcome: "unknown" });
  expect(error.details).toEqual([
    {
      code: "InDoubt",
      row: 1,
      field: "part 1",
      text: expect.stringMatching(
        /^2 messages, signed .*: group G4V\w+ of .*, 2 messages, 40 won$/,
      ),
    },
  ]);
  expect(error.hint).toMatch(/--accepted 1, or --not-sent 1 after \d{4}-/);
  expect(await shown(at)).toMatchObject({ state: "unknown", unknown: 2 });
});

test("--accepted takes the group that is shown: the run is done and adds up", async () => {
  const at = await inDoubt();
  const ran = await at(`${reconcile} --accepted 1`);
  expect([ran.code, ran.json()]).toEqual([
    0,
    expect.objectContaining({ state: "done", accepted: 2, unknown: 0, cost: 40 }),
  ]);
  expect(await shown(at)).toMatchObject({ state: "done", total: 2, accepted: 2, unknown: 0 });
});

test("--not-sent is taken only when no copy can arrive any more; then --resume sends the rows", async () => {
  const at = await inDoubt();
  const early = await at(`${reconcile} --not-sent 1`);
  expect([early.code, JSON.parse(early.err).error.code]).toEqual([7, "TooEarly"]);
  const ran = await at(`${reconcile} --not-sent 1`, { now: later });
  expect([ran.code, ran.json()]).toEqual([0, expect.objectContaining({ notSent: 2, unknown: 0 })]);
  expect(await shown(at)).toMatchObject({ state: "open", notSent: 2, unknown: 0 });
});

test("a person is asked for each part; leaving it open changes nothing", async () => {
  const at = await inDoubt();
  const open = await at(reconcile, { tty: 100, answers: ["leave"] });
  expect([open.code, open.questions]).toEqual([11, ["What became of part 1?"]]);
  const { groupId } = JSON.parse((await at("group list --sandbox --json")).out)[0];
  const settled = await at(reconcile, { tty: 100, answers: [groupId] });
  expect([settled.code, settled.json()]).toEqual([0, expect.objectContaining({ accepted: 2 })]);
});

const wrong: readonly (readonly [string, string])[] = [
  ["--accepted 2", "in doubt: 1"],
  ["--accepted 1=G4V0", "is none that part 1 could be"],
  ["--accepted 1 --not-sent x", "is no part that is in doubt"],
];
test.each(wrong)("%s is refused, and nothing is settled", async (flags, words) => {
  const at = await inDoubt();
  const ran = await at(`${reconcile} ${flags}`);
  expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(words)]);
  expect(await shown(at)).toMatchObject({ unknown: 2 });
});

test("a run that was never begun, or is over, has nothing to settle: shown as it is", async () => {
  const at = shell();
  const line = "send-many - --sandbox --from 0200000000 --text x";
  await at(`${line} --max-recipients 1`, { stdin: rows });
  const planned = await at(reconcile);
  expect([planned.code, planned.json()]).toEqual([
    0,
    expect.objectContaining({ state: "planned" }),
  ]);
  expect(planned.err).toMatch(/^nothing is in doubt; nothing was sent: msg send-many --resume/m);
  await at("send-many --resume last --max-recipients 2 --sandbox --settle 5s");
  expect((await at(reconcile)).json()).toMatchObject({ state: "done", accepted: 2 });
});

test("the account that is asked must be the run's own: exit 2, nothing is taken as not sent", async () => {
  const at = await inDoubt();
  const other = await at("run reconcile last -p sandbox:unverified --json");
  expect(other.code).toBe(6);
  const run = JSON.parse((await at("run show last --sandbox --json")).out).run;
  const named = await at(`run reconcile ${run} -p sandbox:unverified --json`);
  expect([named.code, JSON.parse(named.err).error.code]).toEqual([2, "OtherProfile"]);
});
