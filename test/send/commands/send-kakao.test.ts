/** Templates, friend-talk and pictures, from the file to the phone. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Shell, shell } from "../../support/msg.ts";
import { jpeg } from "../../support/pictures.ts";

const pfId = "KA01PF260101000000000SANDBOX0001";
const templateId = "KA01TP260101000000000SANDBOX0001";
const send = "send --sandbox --to 01000000001 --from 0200000000 --json";

const sendKakao = (msg: Shell, options: object, ...more: readonly string[]) =>
  msg([...send.split(" "), "--kakao", JSON.stringify({ pfId, ...options }), ...more]);

const requests = async (msg: Shell): Promise<string> =>
  (await msg("sandbox requests --limit 100")).out;

describe("the variables of a template", () => {
  test("those without a value are named before anything is sent, exit 2; the template is read once", async () => {
    const msg = shell();
    const ran = await sendKakao(msg, { templateId, variables: { "#{name}": "민지" } });
    expect([ran.code, ran.out]).toEqual([2, ""]);
    expect(ran.err).toContain("#{no}");
    expect(ran.err).not.toContain("#{name}");
    const seen = await requests(msg);
    expect(seen).not.toContain("/messages/v4");
    expect(seen.split(`/kakao/v1/templates/${templateId}`)).toHaveLength(2);
  });

  test("with all values it is sent; a text of one's own leaves only those of the buttons", async () => {
    const msg = shell();
    const whole = await sendKakao(msg, { templateId, variables: { name: "민지", no: "12" } });
    expect(whole.json()).toMatchObject({ type: "ATA", statusCode: "2000" });
    const text = ["--text", "A님, 주문 B이 발송되었습니다."];
    const own = await sendKakao(msg, { templateId, variables: { no: "12" } }, ...text);
    expect(own.json()).toMatchObject({ type: "ATA", statusCode: "2000" });
    const bare = await sendKakao(msg, { templateId }, ...text);
    expect([bare.code, bare.err]).toEqual([2, expect.stringContaining("#{no}")]);
  });

  test("of a list are not called missing where each row has them", async () => {
    const msg = shell();
    const line = `send-many - --sandbox --from 0200000000 --template ${templateId} --var no=12`;
    const stdin = "to,name\n01000000001,민지\n";
    for (const more of ["--estimate", "-n", ""]) {
      const ran = await msg(`${line} ${more}`, { stdin });
      expect(ran.code, ran.err).toBe(0);
      expect(ran.err).not.toContain("without a value");
    }
  });

  test("a template that cannot be read is the service's to refuse", async () => {
    const ran = await sendKakao(shell(), { templateId: "KA01TPnone" });
    expect(ran.code).toBe(10);
    expect(ran.err).toContain("1042");
  });
});

describe("a picture that was uploaded", () => {
  const upload = async (msg: Shell, type: string, bytes: Uint8Array): Promise<string> => {
    const path = join(msg.folder, "picture.jpg");
    writeFileSync(path, bytes);
    const link = type === "KAKAO" ? ["--link", "https://example.com"] : [];
    const line = ["files", "upload", path, "--type", type, "--sandbox", "-q", ...link];
    return (await msg(line)).out.trim();
  };
  const phone = async (msg: Shell) => {
    await msg("sandbox clock advance 2m");
    return (await msg("sandbox inbox list --json")).json();
  };

  test("goes out as MMS and reaches the phone", async () => {
    const msg = shell();
    const imageId = await upload(msg, "MMS", jpeg(640, 480));
    const ran = await msg(`${send} --text hello --image ${imageId}`);
    expect(ran.json()).toMatchObject({ type: "MMS", statusCode: "2000" });
    expect(await phone(msg)).toMatchObject([{ type: "MMS", text: "hello", imageId }]);
  });

  test("goes out as friend-talk CTI with its buttons and reaches the phone", async () => {
    const msg = shell();
    const imageId = await upload(msg, "KAKAO", jpeg(800, 400));
    const buttons = [{ buttonType: "WL", buttonName: "shop", linkMo: "https://example.com" }];
    const ran = await sendKakao(msg, { imageId, buttons, adFlag: true }, "--text", "sale");
    expect(ran.json()).toMatchObject({ type: "CTI", statusCode: "2000" });
    expect(await phone(msg)).toMatchObject([
      { type: "CTI", text: "sale", kakaoOptions: { imageId, buttons, adFlag: true } },
    ]);
  });

  test("of the other kind is refused, and no phone has it", async () => {
    const msg = shell();
    const imageId = await upload(msg, "MMS", jpeg(640, 480));
    const ran = await sendKakao(msg, { imageId }, "--text", "sale");
    expect(ran.code).toBe(10);
    expect(ran.err).toContain("1051");
    expect(await phone(msg)).toEqual([]);
  });
});
