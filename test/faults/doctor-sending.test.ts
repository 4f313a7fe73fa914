/** `msg doctor --sending`: what the promise across machines assumes is tried, and said where it does not hold. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";
import { envFor, rowsOf, sending } from "./books.ts";
import { type Harm, openLine, type Passing } from "./line.ts";
import { oneService } from "./one-service.ts";
import { recordOf } from "./strangers.ts";

const { opened, nextBatch } = oneService();

/** A line on which one of the assumptions does not hold. */
const lines: Readonly<Record<string, () => (passing: Passing) => Harm | undefined>> = {
  "a list shows a new group at once": () => {
    const rewrite = (body: string) => JSON.stringify({ ...JSON.parse(body), groupList: {} });
    return ({ method, path }) =>
      method === "GET" && path === "/messages/v4/groups" ? { rewrite } : undefined;
  },
  "a group that was deleted is not sent": () => {
    const sent = { body: "" };
    const rewrite = (body: string) => {
      sent.body = body;
      return body;
    };
    return ({ method, path }) => {
      if (path.endsWith("/send")) return recordOf(sent.body);
      return method === "DELETE" ? { rewrite } : undefined;
    };
  },
};
const [list = "", deleted = ""] = Object.keys(lines);
const names = [list, deleted];
const fields = "custom fields of groups come back";

/** A line on which custom fields of groups are others. */
const withoutFields = ({ path }: Passing): Harm | undefined => {
  const rewrite = (body: string) => body.replaceAll("msg.probe", "other");
  return path.startsWith("/messages/v4/groups") ? { rewrite } : undefined;
};

const doctorOver = async (
  at: ReturnType<typeof shell>,
  harm: (passing: Passing) => Harm | undefined,
) => {
  const line = await openLine({ to: opened().baseUrl, harm });
  const ran = await at("doctor --sending --json", { env: envFor(line) });
  await line.stop();
  const rows: readonly { check: string; verdict: string; text: string }[] = JSON.parse(ran.out);
  return { ...ran, tried: rows.filter(({ check }) => check === "sending") };
};

test("all of it holds: nothing is sent or spent, and no group is left", async () => {
  const at = shell();
  const before = (await at("balance --json", { env: envFor(opened()) })).out;
  const { tried } = await doctorOver(at, () => undefined);
  expect(tried).toEqual(
    [list, fields, deleted].map((text) => ({ check: "sending", verdict: "ok", text })),
  );
  const left = opened().rows("SELECT * FROM groups WHERE status <> 'DELETED' OR sent IS NOT NULL");
  expect(left).toEqual([]);
  expect((await at("balance --json", { env: envFor(opened()) })).out).toBe(before);
});

test.each(names)(
  "'%s' does not hold: exit 2, and send-many says so until it does, whatever its profile is called",
  async (name) => {
    const at = shell();
    expect((await at("profile set from 0200000000")).code).toBe(0);
    const env = envFor(opened());
    const { code, tried } = await doctorOver(at, (lines[name] ?? (() => () => undefined))());
    expect(code).toBe(2);
    expect(tried.find(({ text }) => text.includes(name))).toMatchObject({ verdict: "wrong" });
    expect((await at("profile rename default work")).code).toBe(0);
    const warned = await at(sending("--json"), { env, stdin: rowsOf(1, nextBatch()) });
    expect([warned.code, warned.err.match(/if several machines/g)?.length], warned.err).toEqual([
      0, 1,
    ]);
    await doctorOver(at, () => undefined);
    const told = await at(sending("--json"), { env, stdin: rowsOf(1, nextBatch()) });
    expect([told.code, told.err.includes("if several")], told.err).toEqual([0, false]);
  },
);

test("what holds at a served sandbox does not take back what failed for the service", async () => {
  const at = shell();
  const file = join(at.folder, "state/assumptions.json");
  mkdirSync(join(at.folder, "state"), { mode: 0o700, recursive: true });
  const failed = JSON.stringify(["https://api.example.test"]);
  writeFileSync(file, failed);
  expect((await doctorOver(at, () => undefined)).tried).toHaveLength(3);
  expect(readFileSync(file, "utf8")).toBe(failed);
  const env = envFor(opened());
  const rehearsed = await at(sending("--json"), { env, stdin: rowsOf(1, nextBatch()) });
  expect([rehearsed.code, rehearsed.err.includes("if several")], rehearsed.err).toEqual([0, false]);
});

test("custom fields do not come back: a message of each group is read from then on, and it is well", async () => {
  const at = shell();
  const kept = () => JSON.parse(readFileSync(join(at.folder, "state/group-fields.json"), "utf8"));
  const { code, tried } = await doctorOver(at, withoutFields);
  expect(code).toBe(0);
  expect(tried[1]).toMatchObject({
    verdict: "ok",
    text: expect.stringContaining("one message of"),
  });
  expect(kept()).toHaveLength(1);
  await doctorOver(at, () => undefined);
  expect(kept()).toHaveLength(1);
});
