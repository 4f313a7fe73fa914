/** `run show --source`: what all workers have sent of a source, on a machine that knows nothing of them. */
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { envFor, rowsOf, sending } from "./books.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();
const rows = 24;

const send = async (stdin: string, ...more: readonly string[]) => {
  const ran = await shell()(sending("--group-size", "4", "--json", ...more), {
    stdin,
    env: envFor(opened()),
  });
  expect(ran.code, ran.err).toBe(0);
  return JSON.parse(ran.out);
};

const show = (stdin: string, ...more: readonly string[]) => {
  const words = ["run", "show", "--source", "-", "--from", "0200000000", "--text", "x", "--json"];
  return shell()([...words, ...more], { stdin, env: envFor(opened()) });
};

test.each([[[]], [["--once", "july"]]])(
  "%j: each worker has its row, and all of them one",
  async (key) => {
    const stdin = rowsOf(rows, nextBatch());
    const none = await show(stdin, ...key);
    expect([none.code, none.json()], none.err).toMatchObject([
      0,
      [{ worker: "all", state: "planned", messages: rows, notSent: rows, groups: [] }],
    ]);
    const sent = [
      await send(stdin, "--part", "1/3", ...key),
      await send(stdin, "--part", "3/3", ...key),
    ];
    const [first, second, third, all] = JSON.parse((await show(stdin, ...key)).out);
    const left = rows - sent.reduce((sum, { accepted }) => sum + accepted, 0);
    expect(first).toMatchObject({ worker: "1/3", state: "done", accepted: sent[0].accepted });
    expect(second).toMatchObject({
      worker: "2/3",
      state: "planned",
      messages: left,
      notSent: left,
    });
    expect(third).toMatchObject({ worker: "3/3", runs: [sent[1].run], notSent: 0 });
    expect(all).toMatchObject({ worker: "all", state: "open", messages: rows, notSent: left });
    await send(stdin, "--part", "2/3", ...key);
    const last = JSON.parse((await show(stdin, ...key)).out).at(-1);
    expect(last).toMatchObject({ state: "done", accepted: rows, refused: 0, notSent: 0 });
    expect(last.runs).toHaveLength(3);
    const other = await show(stdin.replace("0105", "0107"), ...key);
    if (key.length === 0) expect(other.json()).toMatchObject([{ worker: "all", state: "planned" }]);
    else expect([other.code, other.err]).toEqual([2, expect.stringContaining("OtherContent")]);
  },
);

test("a run without parts is one worker of one", async () => {
  const stdin = rowsOf(rows, nextBatch());
  const { run, groups } = await send(stdin);
  const own = { runs: [run], groups: expect.arrayContaining(groups), accepted: rows, notSent: 0 };
  expect((await show(stdin)).json()).toMatchObject([
    { worker: "1/1", state: "done", ...own },
    { worker: "all", state: "done", ...own },
  ]);
});

test("a run of --again is shown, and what it has left out is not called sent", async () => {
  const stdin = rowsOf(rows, nextBatch());
  const once = await send(stdin, "--part", "1/2");
  const again = await send(stdin, "--part", "1/2", "--again");
  const [first, , all] = JSON.parse((await show(stdin)).out);
  expect(first).toMatchObject({ worker: "1/2", runs: [once.run, again.run], notSent: 0 });
  const accepted = once.accepted + again.accepted;
  expect(all).toMatchObject({ accepted, notSent: rows - once.accepted, state: "open" });
});

test("a source and a run exclude each other, and one of them is needed", async () => {
  const at = shell();
  const lines = ["run show", "run show last --source -", "run show last --once july"];
  for (const line of lines) expect((await at(line, { stdin: rowsOf(1) })).code).toBe(2);
  // The name of the source is a variable that is not set.
  expect((await at("run show last --source=")).err).toContain("exclude each other");
});
