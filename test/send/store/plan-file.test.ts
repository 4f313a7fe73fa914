/** Bodies that are read into memory that is used again are the planned ones as long as somebody has them. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diskFiles } from "../../../src/durable/files.ts";
import { planBodies, readBody } from "../../../src/send/store/plan-file.ts";
import { freshFolder } from "../../durable/faulty.ts";
import { errorOf } from "../source.ts";

const path = join(freshFolder(), "plan.jsonl");
const texts = [3, 700, 64, 1, 699, 250].map((length, at) => `${at}`.repeat(length));
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const chunks = texts.map((text, at) => ({
  ...{ offset: texts.slice(0, at).reduce((sum, it) => sum + it.length + 1, 0), first: 1, rows: 1 },
  ...{ length: text.length, sha256: sha256(text) },
}));
writeFileSync(path, texts.map((text) => `${text}\n`).join(""));

test("no body changes before it was released, whatever is read meanwhile", () => {
  const step = fc.record({ at: fc.nat({ max: chunks.length - 1 }), release: fc.nat({ max: 8 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const bodies = planBodies(diskFiles, path, chunks);
      const held: { readonly at: number; readonly bytes: Uint8Array }[] = [];
      for (const { at, release } of steps) {
        const chunk = chunks[at];
        if (chunk) held.push({ at, bytes: bodies.read(chunk) });
        for (const it of held) expect(Buffer.from(it.bytes).toString("utf8")).toBe(texts[it.at]);
        const [over] = release < held.length ? held.splice(release, 1) : [];
        if (over) bodies.release(over.bytes);
      }
    }),
  );
});

test("memory that was released is used again", () => {
  const bodies = planBodies(diskFiles, path, chunks);
  const [first, second] = chunks;
  if (!first || !second) throw new Error("there are chunks");
  const body = bodies.read(first);
  bodies.release(body);
  expect(bodies.read(second).buffer).toBe(body.buffer);
  expect(bodies.read(first).buffer).not.toBe(body.buffer);
});

test("a body that is not the planned one is refused, also where an earlier one lies in its memory", async () => {
  const bodies = planBodies(diskFiles, path, chunks);
  const [first] = chunks;
  if (!first) throw new Error("there are chunks");
  bodies.release(bodies.read(first));
  const cut = { ...first, offset: 10_000 };
  expect(await errorOf(async () => bodies.read(cut))).toMatchObject({ code: "PlanDamaged" });
  expect(await errorOf(async () => readBody(diskFiles, path, cut))).toMatchObject({
    code: "PlanDamaged",
  });
});
