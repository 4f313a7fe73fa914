/** What pages say of groups that were not sent: of their messages on a phone, and of their cost. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTables } from "../../../src/sandbox/store/open-tables.ts";
import { type Shell, shell } from "../../support/msg.ts";
import { serve } from "../serve.ts";

const pageAt = async (at: Shell, path: string): Promise<string> => {
  const file = join(at.folder, "state/sandbox/sandbox.db");
  const { url } = await serve({ file, now: () => new Date() });
  return (await fetch(`${url}/_sandbox/${path}`)).text();
};

const phone = async (at: Shell): Promise<string> =>
  (await pageAt(at, "?to=01000000001&lang=en")).replaceAll(/<[^>]+>/g, "");

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

test("the list of groups shows what each took, as msg group list does, not what it would have", async () => {
  const { at, id } = await filled();
  await at(`group delete ${id} --sandbox -y`);
  const costs = await at("group list --sandbox --json --fields cost");
  expect(JSON.parse(costs.out)).toEqual([{ cost: 0 }]);
  expect(await pageAt(at, "pages/groups?lang=en")).toMatch(/data-label="Cost \(won\)">0</);
});

test.each(["1030", "3999", "9999"])(
  "a message with the code %s is a failed one on every page",
  async (code) => {
    const { at, id } = await filled();
    const tables = openTables(join(at.folder, "state/sandbox/sandbox.db"));
    tables.run("UPDATE messages SET statusCode = ?", [code]);
    tables.close();
    const rowsOf = async (path: string): Promise<number> =>
      (await pageAt(at, path)).split('<tr id="f-').length - 1;
    expect(await rowsOf("pages/feed?state=failed")).toBe(1);
    expect(await rowsOf("pages/feed?state=waiting")).toBe(0);
    const failures = (await pageAt(at, `pages/groups?group=${id}&lang=en`)).split(
      "Last failures",
    )[1];
    expect(failures).toMatch(new RegExp(`^</h4>.*010-0000-0001.*<b>${code}</b>`));
  },
);
