/** The service did what was asked, and its answer is odd: no write ends as a fault, and none is called refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exitCodes } from "../../src/errors.ts";
import { freshFolder } from "../e2e/program.ts";
import { type Change, changes, faultOf, openChanging } from "./changing.ts";

type Opened = Awaited<ReturnType<typeof openChanging>>;
const opened: { it?: Opened } = {};
beforeAll(async () => {
  opened.it = await openChanging();
});
afterAll(() => opened.it?.close());

interface Write {
  readonly line: string;
  readonly stdin?: string;
}

const one = '[{"to":"01000000001","from":"0200000000","text":"a"}]';
const id = async ({ msg }: Opened, line: string, name: string): Promise<string> => {
  const made = await msg(`${line} --json`);
  expect(made.code, made.err).toBe(0);
  const value: Readonly<Record<string, unknown>> = JSON.parse(made.out);
  return String(value[name]);
};
const group = (it: Opened) => id(it, "group create", "groupId");
const filled = async (it: Opened): Promise<string> => {
  const groupId = await group(it);
  expect((await it.msg(`group add ${groupId} -`, { stdin: one })).code).toBe(0);
  return groupId;
};
const hour = () => new Date(Date.now() + 3_600_000).toISOString();
const scheduled = async (it: Opened): Promise<string> => {
  const groupId = await filled(it);
  expect((await it.msg(`group schedule ${groupId} ${hour()} -y`)).code).toBe(0);
  return groupId;
};

/** Each is prepared with answers as they are, and performed over odd ones. */
const writes: Readonly<Record<string, (it: Opened) => Promise<Write>>> = {
  send: async () => ({ line: "send --to 01000000001 --from 0200000000 --text hello" }),
  "group create": async () => ({ line: "group create" }),
  "group add": async (it) => ({ line: `group add ${await group(it)} -`, stdin: one }),
  "group remove": async (it) => {
    const groupId = await filled(it);
    const listed = await it.msg(`group messages ${groupId} -o jsonl --fields messageId`);
    return { line: `group remove ${groupId} ${JSON.parse(listed.out).messageId}` };
  },
  "group send": async (it) => ({ line: `group send ${await filled(it)} -y` }),
  "group schedule": async (it) => ({
    line: `group schedule ${await filled(it)} ${hour()} -y`,
  }),
  "group unschedule": async (it) => ({ line: `group unschedule ${await scheduled(it)}` }),
  "group delete": async (it) => ({ line: `group delete ${await filled(it)} -y` }),
  "balance alert set": async () => ({
    line: "balance alert set --threshold 300 --channel SMS -y",
  }),
  "balance alert off": async () => ({ line: "balance alert off -y" }),
  "quota request": async () => ({ line: "quota request --amount 200000 --reason more -y" }),
  "files upload": async () => ({ line: `files upload ${document()} -y` }),
  "files delete": async (it) => ({
    line: `files delete ${await id(it, `files upload ${document()} -y`, "fileId")} -y`,
  }),
  "template create": async () => ({
    line: `template create --channel ${channel} --name a --content b -y`,
  }),
  "template comment": async (it) => ({
    line: `template comment ${await id(it, template, "templateId")} "please look"`,
  }),
  "template delete": async (it) => ({
    line: `template delete ${await id(it, template, "templateId")} -y`,
  }),
};

const channel = "KA01PF260101000000000SANDBOX0001";
const template = `template create --channel ${channel} --name a --content b -y`;
const document = (): string => {
  const file = join(freshFolder(), "document.pdf");
  writeFileSync(file, `%PDF-1.4\n${crypto.randomUUID()}`);
  return file;
};

/** Nothing is left of an answer by which its success could be read. */
const unreadable: Readonly<Record<string, Change>> = {
  ...changes,
  "of another kind": (value) => (typeof value === "object" ? 5 : { value }),
};

test.each(Object.keys(unreadable))(
  "writes whose answers have members that are %s are done or unknown",
  async (name) => {
    if (opened.it === undefined) throw new Error("unreachable");
    const { msg, change } = opened.it;
    const wrong: string[] = [];
    for (const [what, prepare] of Object.entries(writes)) {
      change();
      const { line, stdin } = await prepare(opened.it);
      change(unreadable[name], true);
      const ran = await msg(`${line} -o tsv`, { tty: 200, ...(stdin && { stdin }) });
      const isTrue = ran.code === 0 || ran.code === exitCodes.unknown;
      const found = isTrue ? faultOf(line, ran) : `${what}: ${ran.code} ${ran.err}`;
      if (found !== undefined) wrong.push(found);
    }
    expect(wrong).toEqual([]);
  },
  60_000,
);
