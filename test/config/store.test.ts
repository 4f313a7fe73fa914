import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyConfig, parseConfig } from "../../src/config/profiles.ts";
import { diskFiles } from "../../src/durable/files.ts";
import { MsgError } from "../../src/errors.ts";
import { faulty, freshFolder, fullDisk, processes } from "../durable/faulty.ts";
import { home, key, refusalOf } from "./home.ts";

const work = { ...emptyConfig, current: "work", profiles: { work: { from: "0200000000" } } };
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("settings", () => {
  test("nothing is made by reading", async () => {
    const { store, folder } = home();
    expect(await store.read()).toEqual(emptyConfig);
    expect(store.readCredentials().profiles).toEqual({});
    expect(diskFiles.lstat(folder)).toBeUndefined();
  });

  test("what is written is read, files 0600 in a folder 0700, nothing else stays", async () => {
    const { store, folder } = home();
    await store.update(() => work);
    await store.updateCredentials((now) => ({ ...now, profiles: { work: key() } }));
    expect(await store.read()).toEqual(work);
    expect(store.readCredentials().profiles.work).toEqual(key());
    expect(readdirSync(folder).sort()).toEqual([".lock", "config.json", "credentials.json"]);
    expect([folder, store.configFile(), store.credentialsFile()].map(modeOf)).toEqual([
      0o700, 0o600, 0o600,
    ]);
  });

  test("config.json may be a link into a folder of dot files, which stays a link", async () => {
    const { store, folder, put } = home();
    const dotFiles = join(freshFolder(), "msg.json");
    writeFileSync(dotFiles, JSON.stringify(emptyConfig));
    put("other", "");
    symlinkSync(dotFiles, join(folder, "config.json"));
    await store.update(() => work);
    expect(parseConfig(readFileSync(dotFiles, "utf8"), dotFiles)).toEqual(work);
    expect(diskFiles.lstat(join(folder, "config.json"))?.kind).toBe("link");
  });

  test("nothing is written behind a lock that another process has taken over", async () => {
    const { store, put } = home();
    await store.update(() => work);
    const takenOver = <T>(changed: T): T => {
      put(".lock", "000000000041 7 00000000000000aa 0000000a.0000000b.3.1.2\n");
      return changed;
    };
    const secrets = { version: 1 as const, profiles: { work: key() } };
    for (const run of [
      () => store.update(() => takenOver(emptyConfig)),
      () => store.updateCredentials(() => takenOver(secrets)),
    ])
      expect(await refusalOf(run)).toMatchObject({ code: "LeaseLost" });
    expect(await store.read()).toEqual(work);
    expect(store.readCredentials().profiles).toEqual({});
  });

  test("a change that is refused leaves no lock and no trace", async () => {
    const { store, folder } = home();
    await store.update(() => work);
    const before = readFileSync(store.configFile());
    const thrown = await refusalOf(() =>
      store.update(() => {
        throw new Error("no");
      }),
    );
    expect(String(thrown)).toContain("no");
    expect(readFileSync(store.configFile())).toEqual(before);
    expect(readdirSync(folder)).toEqual([".lock", "config.json"]);
  });
});

describe("C01 a broken file is named, never overwritten", () => {
  test.each([
    ["cut", '{"version":1,"prof', "is not JSON (line 1, column"],
    ["empty", "", "is not JSON (line 1, column 1: the text ends where a value is expected)"],
    [
      "with a word",
      '{"version":1,\n "profiles":{"a":{"tz": Seoul}}}',
      "(line 2, column 25: a value is expected here)",
    ],
    [
      "with a guard twice",
      '{"version":1,"profiles":{"a":{"protected":true,"protected":false}}}',
      "(line 1, column 48: a name is given twice)",
    ],
    [
      "with nothing as value",
      '{"version":,"profiles":{}}',
      "(line 1, column 12: a value is expected here)",
    ],
    [
      "with a wrong word",
      '{"version":truth,"profiles":{}}',
      "(line 1, column 12: a value is expected here)",
    ],
    ["not an object", "[]", "'version' is missing"],
    [
      "of a wrong type",
      '{"version":1,"profiles":{"a":{"maxCost":"many"}}}',
      "'profiles.a.maxCost' must be number",
    ],
    ["with an unknown guard", '{"version":1,"profiles":{"a":{"maxcost":1}}}', "profiles.a.maxcost"],
    [
      "with a host in plain text",
      '{"version":1,"profiles":{"a":{"baseUrl":"http://x.example"}}}',
      "not encrypted",
    ],
    ["of a newer msg", '{"version":2,"profiles":[]}', "has version 2"],
  ])("config.json %s", async (_kind, text, says) => {
    const { store, put } = home();
    const file = put("config.json", text);
    for (const run of [() => store.read(), () => store.update(() => work)]) {
      const error = await refusalOf(run);
      expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(file) });
      expect(String(error)).toContain(says);
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("config.json with the name of a profile in CP949", async () => {
    const { store, put } = home();
    const file = put("config.json", "");
    const name = Buffer.from([0xc8, 0xb8, 0xbb, 0xe7]);
    const bytes = Buffer.from('{"version":1,"profiles":{"????":{"protected":true}}}');
    bytes.set(name, bytes.indexOf("?"));
    writeFileSync(file, bytes);
    const error = await refusalOf(() => store.update(() => work));
    expect(error).toMatchObject({ exitCode: 2, todo: "save it as UTF-8" });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test.each([
    ["cut", '{"version":1,"profiles":{"a":{"kind":"key","apiSecret":"S3CRET-canary'],
    ["not JSON", 'S3CRET-canary {"version":1}'],
    [
      "of a wrong type",
      '{"version":1,"profiles":{"a":{"kind":"key","apiKey":1,"apiSecret":"S3CRET-canary","host":"h","dateStored":""}}}',
    ],
    ["of a newer msg", '{"version":3,"profiles":{"a":"S3CRET-canary"}}'],
  ])("credentials.json %s, and its content is not repeated", async (_kind, text) => {
    const { store, put } = home();
    const file = put("credentials.json", text);
    for (const run of [
      () => store.readCredentials(),
      () => store.updateCredentials((now) => now),
    ]) {
      const error = await refusalOf(run);
      expect(error).toMatchObject({
        exitCode: 2,
        where: file,
        todo: expect.stringContaining("the file is unchanged"),
      });
      expect(JSON.stringify(error) + String(error)).not.toContain("canary");
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

describe("C02 secrets that others can get at are not used", () => {
  const stored = JSON.stringify({ version: 1, profiles: { work: key() } });

  test.each([0o644, 0o640, 0o602, 0o666])(
    "mode %o is an error with the chmod to run",
    async (mode) => {
      const { store, put } = home();
      const file = put("credentials.json", stored);
      chmodSync(file, mode);
      const error = await refusalOf(() => store.readCredentials());
      expect(error).toMatchObject({
        exitCode: 2,
        todo: expect.stringContaining(`chmod 600 '${file}'`),
      });
      expect(modeOf(file)).toBe(mode);
      chmodSync(file, 0o600);
      expect(store.readCredentials().profiles.work).toEqual(key());
    },
  );

  test("a link is refused, even to a file that is closed", async () => {
    const { store, put, folder } = home();
    put("elsewhere.json", stored);
    symlinkSync(join(folder, "elsewhere.json"), join(folder, "credentials.json"));
    expect(String(await refusalOf(() => store.readCredentials()))).toContain("is a link");
  });

  test("another user's is refused", async () => {
    const { through, put } = home();
    const file = put("credentials.json", stored);
    const others = through({
      ...diskFiles,
      lstat: (path) =>
        path === file
          ? { kind: "file", mode: 0o600, owner: 4711, changedMs: 0 }
          : diskFiles.lstat(path),
    });
    expect(String(await refusalOf(() => others.readCredentials()))).toContain("another user");
  });

  test("a folder that others may write to is closed before secrets are read or written", async () => {
    const { store, put, folder } = home();
    put("credentials.json", stored);
    chmodSync(folder, 0o777);
    store.readCredentials();
    expect(modeOf(folder)).toBe(0o700);
    chmodSync(folder, 0o722);
    await store.update(() => work);
    expect(modeOf(folder)).toBe(0o700);
  });

  test("a folder that others only read stays as it is: it may be named, and hold their files", async () => {
    const { store, put, folder } = home();
    put("another", "");
    chmodSync(folder, 0o755);
    await store.update(() => work);
    expect(modeOf(folder)).toBe(0o755);
  });
});

describe("D06 a folder that cannot be used", () => {
  test("a file in its place", async () => {
    const { store, folder } = home();
    mkdirSync(join(folder, ".."), { recursive: true });
    writeFileSync(folder, "");
    for (const run of [() => store.read(), () => store.update(() => work)])
      expect(await refusalOf(run)).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(folder),
      });
  });

  test("a folder in the place of config.json", async () => {
    const { store, folder } = home();
    mkdirSync(join(folder, "config.json"), { recursive: true });
    expect(String(await refusalOf(() => store.read()))).toContain("is not a file");
  });
});

describe("C04 a fault at every call of a change", () => {
  const other = { ...work, current: "other", profiles: { ...work.profiles, other: {} } };

  test.each(["EIO", "ENOSPC", "kill"])(
    "%s: the old settings or the new, and the next change works",
    async (code) => {
      const ends: string[] = [];
      for (let at = 1; ; at += 1) {
        const { store, through, folder } = home();
        await store.update(() => work);
        const { files, calls } = faulty({ at, with: code });
        const error = await refusalOf(() => through(files, processes("7")).update(() => other));
        const found = await store.read();
        ends.push(found.current ?? "");
        expect([work, other], `call ${at}`).toContainEqual(found);
        if (error !== undefined) expect(error, `call ${at}`).toBeInstanceOf(MsgError);
        await through(diskFiles, processes("8", ["7"])).update(() => work);
        expect(readdirSync(folder), `call ${at}`).toEqual([".lock", "config.json"]);
        if (calls.length < at) break;
      }
      expect(new Set(ends)).toEqual(new Set(["work", "other"]));
    },
  );
});

describe("D10 a disk that becomes full in the middle of a change", () => {
  test.each([60, 200, 4_096])(
    "secrets and settings stay as they were (room for %i bytes)",
    async (room) => {
      const { store, through } = home();
      await store.update(() => work);
      await store.updateCredentials((now) => ({ ...now, profiles: { work: key() } }));
      const files = () =>
        [store.configFile(), store.credentialsFile()].map((it) => readFileSync(it, "utf8"));
      const before = files();
      const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`p${n}`, key()]));
      const full = through(fullDisk(room), processes("7"));
      const refusals = [
        await refusalOf(() => full.updateCredentials((now) => ({ ...now, profiles: many }))),
        await refusalOf(() =>
          full.update((now) => ({
            ...now,
            profiles: Object.fromEntries(
              Object.keys(many).map((name) => [name, { from: "0200000000".repeat(9) }]),
            ),
          })),
        ),
      ];
      for (const error of refusals) expect(error).toMatchObject({ exitCode: 2 });
      expect(files()).toEqual(before);
    },
  );
});
