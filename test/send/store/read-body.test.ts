/** A body of a plan is the planned one, or an error. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diskFiles } from "../../../src/durable/files.ts";
import { korean } from "../../../src/locale/ko/korean.ts";
import { inLanguage } from "../../../src/locale/locale.ts";
import { readBody } from "../../../src/send/store/read-body.ts";
import { freshFolder } from "../../durable/faulty.ts";
import { errorOf } from "../source.ts";

const folder = freshFolder();
const store = { files: diskFiles, folder };
const text = "a body";
const sha256 = createHash("sha256").update(text).digest("hex");
const chunk = { offset: 0, length: text.length, first: 1, rows: 1, sha256 };
mkdirSync(join(folder, "a"));
writeFileSync(join(folder, "a", "plan.jsonl"), `${text}\n`);
const read = (run: string, wrong: Partial<typeof chunk> = {}) =>
  readBody(store, { run, chunks: [{ ...chunk, ...wrong }] }, 0);

test("a body that is not the planned one is refused", async () => {
  expect(Buffer.from(read("a")).toString("utf8")).toBe(text);
  for (const wrong of [{ offset: 10_000 }, { offset: 1 }, { length: 3 }])
    expect(await errorOf(async () => read("a", wrong))).toMatchObject({ code: "PlanDamaged" });
});

test("that the plan cannot be read is said in the language of the operator", async () => {
  const path = join(folder, "b", "plan.jsonl");
  mkdirSync(path, { recursive: true });
  const translation = { language: "ko", catalogs: korean, topics: {} } as const;
  const { message } = await errorOf(async () => inLanguage(translation, () => read("b")));
  expect(message).toContain(`'${path}' 읽기에 실패했습니다`);
});
