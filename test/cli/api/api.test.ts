import { Validator } from "@seriousme/openapi-schema-validator";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { shell } from "../../support/msg.ts";

const Document = v.looseObject({
  paths: v.record(v.string(), v.record(v.string(), v.looseObject({ operationId: v.string() }))),
});

const message = '{"to":"01000000001","from":"0200000000","text":"hi"}';

describe("msg api", () => {
  test("calls a declared endpoint, signed, and prints the answer as it came", async () => {
    const { code, json } = await shell()("api get /cash/v1/balance --sandbox");
    expect({ code, answer: json() }).toMatchObject({ code: 0, answer: { balance: 1_000_000 } });
  });

  test("JSON that is none is refused with its place, and without what stands there", async () => {
    const msg = shell();
    const post = ["api", "POST", "/messages/v4/send", "--sandbox"];
    const field = await msg([...post, "-F", 'message:={"to":secret}']);
    expect([field.code, field.err]).toEqual([
      2,
      expect.stringMatching(/^error: -F message is not/),
    ]);
    expect(field.err).toContain("line 1, column 7: a value is expected here");
    const input = await msg([...post, "--input", "-"], { stdin: '{\n "secret": 02\n}' });
    expect(input.err).toContain("--input is not JSON: line 2, column 12");
    const twice = await msg([...post, "--input", "-"], { stdin: '{"secret":1,"secret":2}' });
    expect(twice.err).toContain("--input is not JSON: line 1, column 13: a name is given twice");
    expect(field.err + input.err + twice.err).not.toContain("secret");
  });

  test("-f gives texts, -F JSON, --input a body; fields win over the body", async () => {
    const msg = shell();
    const sent = await msg([
      "api",
      "POST",
      "/messages/v4/send",
      "-F",
      `message:=${message}`,
      "--sandbox",
    ]);
    expect(sent.json()).toMatchObject({ statusCode: "2000", to: "01000000001" });
    const body = `{"message":${message},"strict":true}`;
    const words = "api POST /messages/v4/send --input - -F strict:=false -f note=a".split(" ");
    const rehearsed = await msg([...words, "--sandbox", "-n", "--json"], { stdin: body });
    expect(rehearsed.json()).toEqual({
      method: "POST",
      path: "/messages/v4/send",
      body: { message: JSON.parse(message), strict: false, note: "a" },
    });
    const wrong = await msg(["api", "POST", "/messages/v4/send", "-F", "a:={", "--sandbox"]);
    expect(wrong.code).toBe(2);
    expect(
      (await msg(["api", "GET", "/cash/v1/balance", "--input", "-"], { stdin: "{}" })).code,
    ).toBe(2);
  });

  test("a path that is declared word for word is not taken for a parameter of another", async () => {
    const { code, out } = await shell()("api GET /messages/v4/groups/excel --sandbox");
    expect({ code, magic: out.slice(0, 2) }).toEqual({ code: 0, magic: "PK" });
  });

  test("a body that is not UTF-8 is refused: what cannot be read would be sent as other text", async () => {
    const stdin = Buffer.from('{"message":{"text":"\xbe\xc8"}}', "latin1");
    const words = "api POST /messages/v4/send --input - --sandbox -n";
    const { code, err } = await shell()(words, { stdin });
    expect([code, err]).toEqual([2, expect.stringContaining("standard input is not UTF-8")]);
    // A text is read as a list of rows is: in CP949, too.
    const text = await shell()("text check - --json", { stdin: Buffer.from([0xbe, 0xc8]) });
    expect(text.json()).toMatchObject({ characters: 1, problems: [] });
  });

  test("query parameters stand in the path, in --query, and on GET in -f", async () => {
    const msg = shell();
    const to = (digit: number) =>
      msg(`send --sandbox --from 0200000000 --text a --to 0100000000${digit}`);
    await to(1);
    await to(2);
    const count = async (words: string[]) => {
      const { json } = await msg(["api", "GET", ...words, "--sandbox"]);
      return Object.keys(v.parse(contract.listMessages.reply, json()).messageList).length;
    };
    expect(await count(["/messages/v4/list?limit=1"])).toBe(1);
    expect(await count(["/messages/v4/list", "--query", "limit=1"])).toBe(1);
    expect(await count(["/messages/v4/list", "-f", "to=01000000002"])).toBe(1);
    expect(await count(["/messages/v4/list", "--query", 'type[in]=["LMS"]'])).toBe(0);
    const all = await msg("api GET /messages/v4/list?limit=1 --paginate --sandbox --fields to");
    expect(all.json()).toEqual([{ to: "01000000002" }, { to: "01000000001" }]);
    expect((await msg("api GET /cash/v1/balance --paginate --sandbox")).code).toBe(2);
  });

  test("-i prints status and headers first, of a refusal too", async () => {
    const msg = shell();
    const { out } = await msg("api GET /cash/v1/balance -i --sandbox");
    expect(out).toMatch(/^HTTP 200\ncontent-type: application\/json; charset=utf-8\n/);
    const refused = await msg("api GET /pricing/v1/messaging?countryId=7 -i --sandbox");
    expect({ code: refused.code, out: refused.out }).toMatchObject({ code: 10 });
    expect(refused.out).toMatch(/^HTTP 400\n/);
  });

  test("a path that is not declared is tried, with a note; a write of it is never repeated", async () => {
    const msg = shell();
    const { code, err } = await msg("api GET /messages/v9/list --sandbox");
    expect(code).toBe(6);
    expect(err).toContain("not in the contract");
    await msg("sandbox fault add --on '*' --do status:503 --times 5");
    expect((await msg("api POST /messages/v9/send -f a=b --sandbox")).code).toBe(11);
    expect((await msg("sandbox fault list --json")).json()).toMatchObject([{ happened: 1 }]);
  });

  test.each([
    ["GET", "https://example.com/cash/v1/balance"],
    ["GET", "//example.com/cash"],
    ["GET", "cash/v1/balance"],
    ["GET", "/cash/../v1/balance"],
    ["PATCH", "/cash/v1/balance"],
  ])("%s %s is exit 2: only the profile's hosts are called", async (method, path) => {
    const msg = shell();
    expect((await msg(["api", method, path, "--sandbox"])).code).toBe(2);
    expect((await msg("sandbox requests --json")).json()).toEqual([]);
  });

  test("a document is written as it is", async () => {
    const { out } = await shell()("api GET /messages/v4/statistics/excel --sandbox");
    expect(out.slice(0, 2)).toBe("PK");
    const shown = await shell()("api GET /messages/v4/statistics/excel --sandbox", { tty: 80 });
    expect(shown).toMatchObject({ code: 2, out: "" });
  });

  test("--list names every endpoint of the contract", async () => {
    const { json } = await shell()("api --list --json");
    const rows = json();
    v.assert(v.array(v.looseObject({ method: v.string(), path: v.string() })), rows);
    expect(rows.map((it) => `${it.method} ${it.path}`).sort()).toEqual(
      Object.values(contract)
        .map((it) => `${it.method} ${it.path}`)
        .sort(),
    );
    expect(Object.keys(rows[0] ?? {})).toEqual(
      "method,path,does,effect,needs,secondFactor".split(","),
    );
  });

  test("--openapi is valid OpenAPI 3.1 and holds every endpoint", async () => {
    const { json } = await shell()("api --openapi");
    const document = v.parse(Document, json());
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    const ids = Object.values(document.paths).flatMap((it) =>
      Object.values(it).map((operation) => operation.operationId),
    );
    expect(ids.sort()).toEqual(Object.keys(contract).sort());
  });

  test("without method and path it says what it needs", async () => {
    const { code, err } = await shell()("api --sandbox");
    expect(code).toBe(2);
    expect(err).toContain("msg api --list");
  });
});
