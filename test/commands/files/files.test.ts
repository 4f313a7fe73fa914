import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encode } from "../../../src/client/codec.ts";
import { bodyAt, bodyPath } from "../../../src/contract/storage.ts";
import { serve } from "../../sandbox/serve.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { gif, jpeg, paddedJpeg, png, text } from "../../support/pictures.ts";
import { envOf } from "../../support/signer.ts";

const saved = (msg: Shell, name: string, bytes: Uint8Array): string => {
  const path = join(msg.folder, name);
  writeFileSync(path, bytes);
  return path;
};

const uploaded = async (msg: Shell, path: string, flags: readonly string[]): Promise<string> => {
  const ran = await msg(["files", "upload", path, "--sandbox", "-q", ...flags]);
  expect(ran.code).toBe(0);
  return ran.out.trim();
};

const requests = async (msg: Shell): Promise<string> =>
  (await msg("sandbox requests --limit 100")).out;

describe("msg files upload", () => {
  test("prints the record; -q its id; -n neither sends nor prints the bytes", async () => {
    const msg = shell();
    const path = saved(msg, "shop.jpg", jpeg(640, 480));
    const rehearsed = await msg(`files upload ${path} --type MMS --sandbox -n --json`);
    expect(rehearsed.json()).toEqual({
      method: "POST",
      path: "/storage/v1/files",
      body: { file: `<${jpeg(640, 480).length} bytes>`, type: "MMS", name: "shop.jpg" },
    });
    expect(await requests(msg)).toBe("");
    const ran = await msg(["files", "upload", path, "--type", "MMS", "--sandbox", "--json"]);
    expect(ran.json()).toMatchObject({ name: "shop.jpg", type: "MMS", width: 640, height: 480 });
    expect(await uploaded(msg, path, ["--type", "MMS"])).toMatch(/^ST01FZ\S{26}$/);
  });

  test.each([
    ["a PNG as MMS", "MMS", "a.png", png(640, 480), "the file is a png; MMS takes jpg"],
    ["a text renamed to .jpg", "MMS", "a.jpg", text, "neither a picture nor a PDF"],
    ["201 KB", "MMS", "a.jpg", paddedJpeg(640, 480, 201 * 1024), "201 KB is too large for MMS"],
    [
      "a picture too small",
      "KAKAO",
      "a.jpg",
      jpeg(400, 200),
      "400 x 200 pixels; KAKAO takes at least",
    ],
    ["a GIF as KAKAO", "KAKAO", "a.gif", gif(800, 400), "KAKAO takes png, jpg"],
    ["nothing", "DOCUMENT", "a.pdf", new Uint8Array(), "the file is empty"],
  ])(
    "%s is refused here, with the rule: exit 2, no request",
    async (_what, type, name, bytes, words) => {
      const msg = shell();
      const path = saved(msg, name, bytes);
      const ran = await msg(["files", "upload", path, "--type", type, "--sandbox"]);
      expect([ran.code, ran.out]).toEqual([2, ""]);
      expect(ran.err).toContain(words);
      expect(await requests(msg)).toBe("");
    },
  );

  test.each([
    ["no address", "a.jpg", ["--link", "example.com"], "--link: must be an address"],
    ["a name of 101 characters", "a.jpg", ["--name", "가".repeat(101)], "--name: must have 100"],
    ["a file of such a name", `${"a".repeat(97)}.jpg`, [], "--name: must have 100"],
  ])("%s is refused here: exit 2, no request", async (_what, name, flags, words) => {
    const msg = shell();
    const path = saved(msg, name, jpeg(640, 480));
    const ran = await msg(["files", "upload", path, ...flags, "--sandbox"]);
    expect([ran.code, ran.err], ran.err).toEqual([2, expect.stringContaining(words)]);
    expect(await requests(msg)).toBe("");
  });

  test("what is not there is a usage error", async () => {
    const msg = shell();
    expect((await msg("files upload none.jpg --sandbox")).code).toBe(2);
    expect((await msg("files upload --sandbox")).code).toBe(2);
  });

  test("standard input, with a name of one's own", async () => {
    const msg = shell();
    const line =
      "files upload - --type KAKAO --name spring --link https://example.com --sandbox --json";
    const ran = await msg(line, { stdin: png(800, 400) });
    expect(ran.json()).toMatchObject({ name: "spring", link: "https://example.com", width: 800 });
  });

  test("an uploaded picture is sent as an MMS", async () => {
    const msg = shell();
    const id = await uploaded(msg, saved(msg, "a.jpg", jpeg(640, 480)), ["--type", "MMS"]);
    const ran = await msg(
      `send --sandbox --to 01000000001 --from 0200000000 --text hello --image ${id} --json`,
    );
    expect(ran.json()).toMatchObject({ type: "MMS", statusCode: "2000" });
  });
});

describe("msg files download", () => {
  test("a colon in the address of a file marks no parameter, behind the question mark neither", () => {
    const url = new URL("https://files.example.com/a:b/c.jpg?sign=x:y&at=09:00");
    expect(encode(bodyAt(bodyPath(url)), {}).target).toBe("/a%3Ab/c.jpg?sign=x%3Ay&at=09%3A00");
  });

  test("every byte comes back, and a file that is there is not replaced without --force", async () => {
    const msg = shell();
    const bytes = Uint8Array.from([...jpeg(640, 480), 0, 10, 13, 255, 0x80]);
    const id = await uploaded(msg, saved(msg, "up.jpg", bytes), ["--type", "MMS"]);
    const down = join(msg.folder, "down.jpg");
    const ran = await msg(["files", "download", id, down, "--sandbox"]);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain(`saved ${bytes.length.toLocaleString("en-US")} bytes as ${down}`);
    expect(new Uint8Array(readFileSync(down))).toEqual(bytes);
    writeFileSync(down, "mine");
    const again = await msg(["files", "download", id, down, "--sandbox", "--json"]);
    expect([again.code, JSON.parse(again.err).error.code]).toEqual([2, "FileExists"]);
    expect(readFileSync(down, "utf8")).toBe("mine");
    expect((await msg(["files", "download", id, down, "--sandbox", "--force"])).code).toBe(0);
    expect(new Uint8Array(readFileSync(down))).toEqual(bytes);
  });

  test("the same over HTTP, where the address of the record leads", async () => {
    const msg = shell();
    const id = (await msg("files list --type MMS --limit 1 --sandbox --fields fileId")).out.trim();
    const file = join(msg.folder, "state", "sandbox", "sandbox.db");
    const { url } = await serve({ file, now: () => new Date() });
    const env = envOf(url);
    const down = join(msg.folder, "down.jpg");
    const ran = await msg(["files", "download", id, down], { env });
    const { json } = await msg(["files", "get", id, "--json"], { env });
    expect(json()).toMatchObject({ url: `${url}/files/26010500000001/${id}` });
    expect(ran.err).toContain("saved");
    expect(new Uint8Array(readFileSync(down))).toEqual(jpeg(640, 480));
  });

  test.each([
    ["../../escape.jpg", "escape.jpg"],
    ["/etc/passwd", "passwd.jpg"],
    ["..", undefined],
    [".hidden", "hidden.jpg"],
    ["a\\b\\c.jpg", "c.jpg"],
    ["한글 이름", "한글 이름.jpg"],
  ])("a file named %j by the service stays in the folder", async (name, expected) => {
    const msg = shell();
    const path = saved(msg, "up.jpg", jpeg(8, 8));
    const id = await uploaded(msg, path, ["--name", name]);
    const folder = join(msg.folder, "in", "deep");
    mkdirSync(folder, { recursive: true });
    const ran = await msg(["files", "download", id, folder, "--sandbox"]);
    expect(ran.code).toBe(0);
    expect(readdirSync(folder)).toEqual([expected ?? id]);
    expect(readdirSync(join(msg.folder, "in"))).toEqual(["deep"]);
  });

  test("a link that waits in the folder is not followed", async () => {
    const msg = shell();
    const id = await uploaded(msg, saved(msg, "up.jpg", jpeg(8, 8)), []);
    const folder = join(msg.folder, "in");
    mkdirSync(folder);
    symlinkSync(join(msg.folder, "target"), join(folder, "up.jpg"));
    expect((await msg(["files", "download", id, folder, "--sandbox"])).code).toBe(2);
    expect(readdirSync(msg.folder)).not.toContain("target");
  });

  test("-n saves nothing, - is no file, and an unknown id is exit 6", async () => {
    const msg = shell();
    const id = await uploaded(msg, saved(msg, "up.jpg", jpeg(8, 8)), []);
    const ran = await msg(["files", "download", id, join(msg.folder, "x"), "--sandbox", "-n"]);
    expect([ran.code, readdirSync(msg.folder).includes("x")]).toEqual([0, false]);
    expect((await msg(["files", "download", id, "-", "--sandbox"])).code).toBe(2);
    expect((await msg(["files", "download", "none", "x", "--sandbox"])).code).toBe(6);
  });
});

describe("msg files list, get and delete", () => {
  test("the flags of the specification reach the service", async () => {
    const msg = shell();
    await msg(
      "files list --sandbox --no-use-provider-a --use-provider-b --type KAKAO --name a --limit 3",
    );
    await msg(
      "files list --sandbox --date-created gte:2026-01-01T00:00:00Z --date-created lte:2026-01-31",
    );
    const seen = decodeURIComponent(await requests(msg));
    expect(seen).toContain("name=a&type=KAKAO&useProviderA=false&useProviderB=true&limit=3");
    expect(seen).toContain("dateCreated[gte]=2026-01-01T00:00:00.000Z");
    // A day of Asia/Seoul, to its last millisecond.
    expect(seen).toContain("dateCreated[lte]=2026-01-31T14:59:59.999Z");
  });

  test("pages go on to the end with --all", async () => {
    const msg = shell();
    const some = await msg("files list --sandbox");
    expect(some.out.trim().split("\n")).toHaveLength(20);
    expect(some.err).toContain("--start-key ST01FZ");
    expect((await msg("files list --sandbox --all")).out.trim().split("\n")).toHaveLength(25);
  });

  test("a file that is used is shown with what uses it, and its deletion is exit 10", async () => {
    const msg = shell();
    const list = "files list --sandbox --category SENDERID_APPROVAL --fields fileId";
    const id = (await msg(list)).out.trim();
    expect((await msg(`files get ${id} --sandbox`)).out).toContain("SENDERID_APPROVAL SED2026");
    const ran = await msg(`files delete ${id} --sandbox -y --json`);
    expect([ran.code, JSON.parse(ran.err).error.code]).toEqual([10, "FileInUse"]);
  });

  test("delete asks: without an answer exit 2, with no exit 7, with yes it is gone", async () => {
    const msg = shell();
    const id = (await msg("files list --sandbox --limit 1 --fields fileId")).out.trim();
    expect((await msg(`files delete ${id} --sandbox`)).code).toBe(2);
    expect((await msg(`files delete ${id} --sandbox`, { tty: 80, answers: ["n"] })).code).toBe(7);
    expect((await msg(`files delete ${id} --sandbox -n --json`)).json()).toMatchObject({
      method: "DELETE",
      path: `/storage/v1/files/${id}`,
    });
    const ran = await msg(`files delete ${id} --sandbox -y -q`);
    expect(ran.out).toBe(`${id}\n`);
    expect((await msg(`files get ${id} --sandbox`)).code).toBe(6);
  });
});
