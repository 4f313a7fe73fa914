/** `--image photo.jpg` on several machines: the rows are the same rows, whichever of them uploads the picture. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../e2e/program.ts";
import { shell } from "../support/msg.ts";
import { jpeg } from "../support/pictures.ts";
import { envFor, numbersOf, rowsOf } from "./books.ts";
import { openLine } from "./line.ts";
import { oneService } from "./one-service.ts";

const { opened, nextBatch } = oneService();

/** A list of four rows with a picture that no other test has. */
const withPhoto = (width: number) => {
  const photo = join(freshFolder(), "photo.jpg");
  writeFileSync(photo, jpeg(width, 300));
  const first = nextBatch();
  const stdin = rowsOf(4, first);
  const source = ["-", "--from", "0200000000", "--text", "x", "--image", photo];
  const send = (env: ReturnType<typeof envFor>, ...more: readonly string[]) =>
    shell()(["send-many", ...source, "-y", "--json", ...more], { stdin, env });
  const show = () =>
    shell()(["run", "show", "--source", ...source, "--json"], { stdin, env: envFor(opened()) });
  return { send, show, sent: () => opened().countsOf(numbersOf(4, first)) };
};

/** A line on which the first lists of files are answered as if there were none. */
const withoutFiles = (times: number) => {
  const seen = { count: 0 };
  const empty = JSON.stringify({ fileList: [], startKey: null, nextKey: null });
  return openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) => {
      if (method !== "GET" || !path.startsWith("/storage/v1/files")) return undefined;
      seen.count += 1;
      return seen.count <= times ? { rewrite: () => empty } : undefined;
    },
  });
};

test.each([
  ["a list", [], 7],
  ["a part of one", ["--part", "1/1"], 7],
  ["a list with a key", ["--once", "photo"], 0],
])("%s is not sent a second time by another machine", async (_, more, code) => {
  const { send, sent } = withPhoto(400 + more.length + code);
  const here = await send(envFor(opened()), ...more);
  expect([here.code, sent()], here.err).toEqual([0, [1, 1, 1, 1]]);
  const there = await send(envFor(opened()), ...more);
  expect([there.code, sent()], there.err).toEqual([code, [1, 1, 1, 1]]);
  expect(there.err).not.toContain("uploaded");
});

test("run show --source finds what was sent, and uploads nothing; neither does --estimate", async () => {
  const { send, show } = withPhoto(500);
  for (const ran of [await show(), await send(envFor(opened()), "--estimate")])
    expect([ran.code, ran.err]).toEqual([0, ""]);
  expect((await send(envFor(opened()))).err).toContain("uploaded");
  expect((await show()).json()).toMatchObject([
    { worker: "1/1", state: "done", accepted: 4 },
    { worker: "all", state: "done", accepted: 4 },
  ]);
});

test("two machines that upload it at once send one list", async () => {
  const { send, sent } = withPhoto(600);
  await send(envFor(opened()));
  const line = await withoutFiles(1);
  const there = await send(envFor(line));
  await line.stop();
  expect(there.err).toContain("uploaded");
  expect([there.code, sent()], there.err).toEqual([7, [1, 1, 1, 1]]);
});

test("where the list of files does not show the upload, nothing is sent", async () => {
  const { send, sent } = withPhoto(700);
  const line = await withoutFiles(2);
  const ran = await send(envFor(line));
  await line.stop();
  expect([ran.code, sent()], ran.err).toEqual([10, [0, 0, 0, 0]]);
  expect(ran.err).toContain("list of files does not show");
});

test.each([
  ["dropAfter", 0, [1, 1, 1, 1]],
  ["dropBefore", 10, [0, 0, 0, 0]],
] as const)("an upload whose answer is lost (%s) is looked for", async (harm, code, counts) => {
  const { send, sent } = withPhoto(800 + code);
  const line = await openLine({
    to: opened().baseUrl,
    harm: ({ method, path }) =>
      method === "POST" && path.startsWith("/storage/v1/files") ? harm : undefined,
  });
  const ran = await send(envFor(line));
  await line.stop();
  expect([ran.code, sent()], ran.err).toEqual([code, counts]);
});
