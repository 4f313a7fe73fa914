import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import type { StoredFile } from "../../../src/contract/storage.ts";
import { jpeg, paddedJpeg, pdf, png, text } from "../../support/pictures.ts";
import { doors } from "../doors.ts";
import { type Env, openEnv, type Reply, sms } from "../environment.ts";
import { errorCodeOf, errorOf, replyOf } from "../replies.ts";

const path = "/storage/v1/files";
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

const upload = (env: Env, type: string, bytes: Uint8Array, members = {}) =>
  env.call("POST", path, { file: base64(bytes), type, ...members });

const idOf = async (told: Promise<Reply>): Promise<string> =>
  replyOf(contract.uploadFile, await told).fileId;

const listed = async (env: Env, query: string): Promise<StoredFile[]> => {
  const told = await env.call("GET", `${path}?limit=1000&${query}`);
  expect(told.status).toBe(200);
  return replyOf(contract.listFiles, told).fileList;
};

const all = (env: Env): Promise<StoredFile[]> => listed(env, "");

describe("upload", () => {
  test("the record tells what the bytes are, and the file is first in the list", async () => {
    const env = await openEnv();
    const told = await upload(env, "MMS", jpeg(640, 480), { name: "shop.jpg" });
    expect(told.status).toBe(200);
    const file = replyOf(contract.uploadFile, told);
    expect(file).toMatchObject({
      type: "MMS",
      name: "shop.jpg",
      width: 640,
      height: 480,
      fileSize: jpeg(640, 480).length,
      link: null,
      references: [],
      kakao: { providerA: null, providerB: null },
    });
    expect(file.fileId).toMatch(/^ST01FZ260105090000000[0-9A-Z]{11}$/);
    expect(file.originalName).toMatch(/^[0-9a-z]{5}\.jpg$/);
    expect(file.url).toBe(`http://127.0.0.1:4610/files/${file.accountId}/${file.fileId}`);
    expect((await all(env))[0]).toEqual(told.body);
    expect((await env.call("GET", `${path}/${file.fileId}`)).body).toEqual(told.body);
  });

  test("without a type it is a DOCUMENT, without a name it has the service's", async () => {
    const env = await openEnv();
    const told = await env.call("POST", path, { file: base64(pdf) });
    const file = replyOf(contract.uploadFile, told);
    expect(file).toMatchObject({ type: "DOCUMENT", width: null, height: null });
    expect(file.name).toBe(file.originalName);
  });

  test("a KAKAO picture is passed on to provider B", async () => {
    const env = await openEnv();
    const told = await upload(env, "KAKAO", png(800, 400));
    const { kakao, url } = replyOf(contract.uploadFile, told);
    expect(kakao).toEqual({ providerA: null, providerB: url });
    expect(told.assumptions).toContain("kakao-addresses");
  });

  test.each([
    ["a PNG as MMS", "MMS", base64(png(640, 480)), 403, "ImageTypeNotSupported"],
    ["a text renamed to .jpg", "MMS", base64(text), 403, "ImageTypeNotSupported"],
    ["201 KB", "MMS", base64(paddedJpeg(640, 480, 201 * 1024)), 413, "FileSizeTooBig"],
    ["a picture too small", "KAKAO", base64(jpeg(400, 200)), 413, "ImageResolutionSizeTooBig"],
    ["nothing", "DOCUMENT", "", 400, "ValidationError"],
    [
      "a data: prefix",
      "DOCUMENT",
      `data:image/png;base64,${base64(png(9, 9))}`,
      400,
      "ValidationError",
    ],
    ["another type", "SONG", base64(pdf), 400, "ValidationError"],
  ])("%s sent raw is refused, and nothing is kept", async (_what, type, file, status, code) => {
    const env = await openEnv();
    const told = await env.call("POST", path, { file, type, name: "a.jpg" });
    expect([told.status, errorCodeOf(told)]).toEqual([status, code]);
    expect(await all(env)).toHaveLength(25);
  });

  test.each([
    { name: "" },
    { name: "가".repeat(101) },
    { link: "no address" },
    { link: "ftp://x/" },
  ])("%j is refused", async (members) => {
    const env = await openEnv();
    expect((await upload(env, "DOCUMENT", pdf, members)).status).toBe(400);
  });
});

describe("the list", () => {
  test("25 files, newest first, in pages that overlap nowhere", async () => {
    const env = await openEnv();
    const page = async (query = "") =>
      replyOf(contract.listFiles, await env.call("GET", `${path}${query}`));
    const first = await page();
    expect(first.fileList).toHaveLength(20);
    expect(first.startKey).toBeNull();
    const { nextKey } = first;
    const second = await page(`?startKey=${nextKey}`);
    expect(second.fileList[0]?.fileId).toBe(nextKey);
    expect(second).toMatchObject({ startKey: nextKey, nextKey: null });
    const ids = [...first.fileList, ...second.fileList].map((it) => it.fileId);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect(ids).toHaveLength(25);
  });

  test.each(["limit=0", "limit=1001", "startKey=none", "type=SONG", "useProviderA=maybe"])(
    "%s is refused",
    async (query) => {
      const env = await openEnv();
      expect((await env.call("GET", `${path}?${query}`)).status).toBe(400);
    },
  );

  test("every filter by equality finds what has the value, and nothing else", async () => {
    const env = await openEnv();
    const files = await all(env);
    const one = files[7];
    for (const name of ["fileId", "name", "url", "originalName"] as const) {
      const found = await listed(env, `${name}=${encodeURIComponent(one?.[name] ?? "")}`);
      expect(found).toEqual([one]);
      expect(await listed(env, `${name}=none`)).toEqual([]);
    }
    expect(await listed(env, "type=MMS")).toEqual(files.filter((it) => it.type === "MMS"));
  });

  test("a file that is used is found by what uses it", async () => {
    const env = await openEnv();
    const [used, ...others] = (await all(env)).filter((it) => it.references.length > 0);
    expect(others).toEqual([]);
    for (const [name, value] of Object.entries(used?.references[0] ?? {})) {
      expect(await listed(env, `${name}=${value}`)).toEqual([used]);
      expect(await listed(env, `${name}=none`)).toEqual([]);
    }
    expect(await listed(env, "category=SENDERID_APPROVAL&refId=none")).toEqual([]);
  });

  test.each([
    ["useProviderA=true", (it: StoredFile) => it.kakao.providerA !== null, 4],
    ["useProviderA=false", (it: StoredFile) => it.kakao.providerA === null, 21],
    ["useProviderB=true", (it: StoredFile) => it.kakao.providerB !== null, 8],
    ["useProviderB=true&useProviderA=false", (it: StoredFile) => it.type === "KAKAO", 4],
  ] as const)("%s", async (query, holds, count) => {
    const env = await openEnv();
    const found = await listed(env, query);
    expect(found).toHaveLength(count);
    expect(found.every(holds)).toBe(true);
  });

  test.each(["dateCreated", "dateUpdated"])(
    "%s by eq, gte and lte; no other operator",
    async (name) => {
      const env = await openEnv();
      const at = "2026-01-01T09:00:00.000Z";
      expect(await listed(env, `${name}=${at}`)).toHaveLength(1);
      expect(await listed(env, `${name}[eq]=${at}`)).toHaveLength(1);
      expect(await listed(env, `${name}[gte]=${at}`)).toHaveLength(4);
      expect(await listed(env, `${name}[lte]=${at}`)).toHaveLength(22);
      expect(await listed(env, `${name}[gte]=${at}&${name}[lte]=${at}`)).toHaveLength(1);
      // A day alone is one of UTC+9, and its end as an upper bound.
      expect(await listed(env, `${name}[gte]=2026-01-01&${name}[lte]=2026-01-01`)).toHaveLength(1);
      for (const operator of ["gt", "lt", "ne", "like"]) {
        expect((await env.call("GET", `${path}?${name}[${operator}]=${at}`)).status).toBe(400);
      }
    },
  );

  test("another account has no files, and sees none of these", async () => {
    const env = await openEnv();
    const [file] = await all(env);
    const { body } = await env.call("GET", path, undefined, 4);
    expect(body).toEqual({ fileList: [], startKey: null, nextKey: null });
    for (const method of ["GET", "DELETE"] as const) {
      const told = await env.call(method, `${path}/${file?.fileId}`, undefined, 4);
      expect([told.status, errorCodeOf(told)]).toEqual([403, "Forbidden"]);
    }
  });
});

describe("delete", () => {
  test("answers the file as it was, once", async () => {
    const env = await openEnv();
    const [file] = await all(env);
    const told = await env.call("DELETE", `${path}/${file?.fileId}`);
    expect(told.body).toEqual(file);
    for (const method of ["GET", "DELETE"] as const) {
      const again = await env.call(method, `${path}/${file?.fileId}`);
      expect([again.status, errorCodeOf(again)]).toEqual([404, "ResourceNotFound"]);
    }
    expect(env.rows("SELECT * FROM file_bodies")).toHaveLength(24);
  });

  test("a file that something uses stays", async () => {
    const env = await openEnv();
    const used = (await all(env)).at(-1);
    const told = await env.call("DELETE", `${path}/${used?.fileId}`);
    expect([told.status, errorCodeOf(told)]).toEqual([409, "FileInUse"]);
    expect(told.assumptions).toContain("file-in-use");
    expect(await all(env)).toHaveLength(25);
  });

  test("an id never comes back to another file", async () => {
    const env = await openEnv();
    const before = await idOf(upload(env, "DOCUMENT", pdf));
    await env.call("DELETE", `${path}/${before}`);
    expect(await idOf(upload(env, "DOCUMENT", pdf))).not.toBe(before);
  });
});

describe("pictures in messages", () => {
  test("an MMS goes with a stored MMS picture of the account, and with no other file", async () => {
    const env = await openEnv();
    const mms = await idOf(upload(env, "MMS", jpeg(640, 480)));
    const document = await idOf(upload(env, "DOCUMENT", pdf));
    const send = async (imageId: string) => {
      const message = sms("01000000001", { subject: "hi", imageId });
      const told = await env.call("POST", "/messages/v4/send", { message });
      return told.status === 200
        ? replyOf(contract.sendMessage, told).type
        : errorOf(told).errorMessage;
    };
    expect(await send(mms)).toBe("MMS");
    expect(await send(document)).toContain("1034");
    expect(await send("ST01FZ0")).toContain("1034");
  });
});

describe.each(doors)("files over the wire, %s", (_name, open) => {
  test("both spellings of brackets, and a body served without credentials", async () => {
    const door = await open();
    const query = "limit=1&type=MMS&dateCreated";
    const at = "2026-01-02T00:00:00Z";
    const plain = await door.call("GET", `${path}?${query}[lte]=${at}`);
    const encoded = await door.call("GET", `${path}?${query}%5Blte%5D=${encodeURIComponent(at)}`);
    expect(plain.status).toBe(200);
    expect(encoded.text).toBe(plain.text);
    const { fileList } = replyOf(contract.listFiles, { ...plain, body: JSON.parse(plain.text) });
    const target = new URL(fileList[0]?.url ?? "").pathname;
    const body = await door.call("GET", target, { signing: null });
    expect([body.status, body.headers["content-type"]]).toEqual([200, "application/octet-stream"]);
    expect((await door.call("GET", `${target}0`, { signing: null })).status).toBe(404);
    const foreign = target.replace("26010500000001", "26010500000002");
    expect((await door.call("GET", foreign, { signing: null })).status).toBe(404);
    await door.close();
  });
});
