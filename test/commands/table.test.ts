import { expect, test } from "vitest";
import { groups, table } from "../../src/commands/table.ts";
import { shell } from "../support/msg.ts";

const commands = Object.keys(table);

/** What stands in front of the last word of a command. */
const nouns = [
  ...new Set(
    commands.flatMap((path) => {
      const words = path.split(" ");
      return words.slice(1).map((_, at) => words.slice(0, at + 1).join(" "));
    }),
  ),
];

test("every noun that is no command itself has one sentence, and nothing else has", () => {
  const silent = nouns.filter((noun) => !Object.hasOwn(table, noun));
  expect(Object.keys(groups).sort()).toEqual(silent.sort());
});

test("the commands of a noun follow one another", () => {
  const firsts = commands.map((path) => path.split(" ")[0]);
  const begun = firsts.filter((noun, at) => noun !== firsts[at - 1]);
  expect(begun).toEqual([...new Set(begun)]);
});

/** Their rows are the service's own or hold anything. */
const open = ["api", "run export"];

test("every command but those knows what --fields may name", async () => {
  const verbs = await Promise.all(
    Object.entries(table).map(async ([path, { load }]) => ({ path, ...(await load()).default })),
  );
  const silent = verbs.filter(({ fields }) => fields === undefined).map(({ path }) => path);
  expect(silent.sort()).toEqual(open.sort());
});

test("every sentence begins with a capital and ends without a stop", () => {
  const sentences = [...Object.values(groups), ...Object.values(table).map((it) => it.summary)];
  expect(sentences.filter((it) => !/^[A-Z].*[^.]$/.test(it))).toEqual([]);
});

test("an example without a placeholder names records that there are, and no time that will have passed", async () => {
  const msg = shell({ env: { MSG_PROFILE: "sandbox" } });
  const verbs = await Promise.all(Object.values(table).map(({ load }) => load()));
  const lines = verbs.flatMap(({ default: { examples } }) => examples);
  // Ids and days alone can be wrong in this way; the others need a shell, or write files.
  const named = lines.filter(
    (line) => /\w{20}|--at|\d-\d\d/.test(line) && !/[<>|$&]|\.\w{3,4}\b/.test(line),
  );
  const wrong: string[] = [];
  for (const line of named) {
    const { err } = await msg(line.replace(/^msg /, ""));
    if (/in the past|no such record|no message/.test(err)) wrong.push(`${line}: ${err}`);
  }
  expect([named.length > 10, wrong]).toEqual([true, []]);
});
