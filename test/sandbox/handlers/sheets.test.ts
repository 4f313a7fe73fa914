/** The spreadsheets of messages and of statistics. */
import { Readable } from "node:stream";
import readXlsxFile from "read-excel-file/node";
import { describe, expect, test } from "vitest";
import { accountA, type Env, openEnv, sms } from "../environment.ts";

const sheet = async (env: Env, target: string) => {
  const bytes = await env.download(target);
  const [first] = await readXlsxFile(Readable.from([bytes]));
  return first?.data ?? [];
};

const sent = async (): Promise<Env> => {
  const env = await openEnv();
  await env.call("POST", "/messages/v4/send-many", {
    messages: [sms("01000000001"), sms("01000003104")],
  });
  env.pass(5000);
  return env;
};

const targets = ["/messages/v4/list/excel", "/messages/v4/statistics/excel"];

describe("spreadsheets", () => {
  test("one line a message", async () => {
    const [headings, ...rows] = await sheet(await sent(), "/messages/v4/list/excel");
    const of = (name: string) => rows.map((row) => row[headings?.indexOf(name) ?? -1]);
    expect(of("to").sort()).toEqual(["01000000001", "01000003104"]);
    expect(of("status").sort()).toEqual(["COMPLETE", "FAILED"]);
  });

  test("one line a day", async () => {
    const [headings, ...rows] = await sheet(await sent(), "/messages/v4/statistics/excel");
    expect(headings?.slice(0, 7)).toEqual(
      "date balance point total successed failed sms".split(" "),
    );
    expect(rows.map((row) => row.slice(0, 7))).toEqual([["2026/01/05", 0, 40, 2, 1, 1, 2]]);
  });

  test.each(targets)(
    "%s shows nothing of a sub-account, and all of the caller's own",
    async (it) => {
      const env = await sent();
      const all = await sheet(env, it);
      expect(all.length).toBeGreaterThan(1);
      expect(await sheet(env, `${it}?subAccountId=${accountA}`)).toEqual(all);
      expect(await sheet(env, `${it}?subAccountId=26010500000002`)).toEqual(all.slice(0, 1));
    },
  );
});
