/** A phone tells what was sent to it from what waits in a group, or was deleted with one. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSandbox } from "../../../src/sandbox/index.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { untilStopped } from "../doors.ts";

const phone = async (at: Shell): Promise<string> => {
  const sandbox = openSandbox({
    file: join(at.folder, "state/sandbox/sandbox.db"),
    now: () => new Date(),
    wait: untilStopped,
    checkAnswers: true,
  });
  onTestFinished(() => sandbox.close());
  const server = await sandbox.listen({ port: 0 });
  onTestFinished(() => server.close());
  const page = await fetch(`${server.baseUrl}/_sandbox/?to=01000000001&lang=en`);
  return (await page.text()).replaceAll(/<[^>]+>/g, "");
};

const filled = async (): Promise<{ readonly at: Shell; readonly id: string }> => {
  const at = shell();
  const id = (await at("group create --sandbox -q")).out.trim();
  const stdin = "to,from,text\n01000000001,0200000000,x\n";
  expect((await at(`group add ${id} - --sandbox`, { stdin })).code).toBe(0);
  return { at, id };
};

test("a group that is being filled, deleted or sent is told from its messages", async () => {
  const open = await filled();
  expect(await phone(open.at)).toContain("2000 Accepted · group: Being filled");
  const deleted = await filled();
  await deleted.at(`group delete ${deleted.id} --sandbox -y`);
  expect(await phone(deleted.at)).toContain("2000 Accepted · group: Deleted");
  const sent = await filled();
  await sent.at(`group send ${sent.id} --sandbox -y`);
  expect(await phone(sent.at)).not.toContain("group:");
});

test("a button of no kind is shown by its name alone, whatever the kind is called", async () => {
  const at = shell();
  const kakaoOptions = {
    pfId: "KA01PF260101000000000SANDBOX0001",
    templateId: "KA01TP260101000000000SANDBOX0001",
    variables: { name: "a", no: "1" },
    buttons: [{ buttonType: "constructor", buttonName: "odd" }],
  };
  const message = { to: "01000000001", from: "0200000000", type: "ATA", kakaoOptions };
  const stdin = JSON.stringify({ message });
  await at("api POST /messages/v4/send --sandbox --input - -y", { stdin });
  expect(await phone(at)).toMatch(/odd\n\n/);
});
