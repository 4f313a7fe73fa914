/** A sandbox whose server is killed under load: what it answered is kept, and its books balance. */
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { openTables } from "../../src/sandbox/store/open-tables.ts";
import { checkBooks } from "../support/books.ts";
import { authorization } from "../support/signer.ts";
import { freshFolder, program, sandboxServer } from "./program.ts";

const Sent = v.object({ messageId: v.string() });

const send = async (baseUrl: string): Promise<string> => {
  const answer = await fetch(`${baseUrl}/messages/v4/send`, {
    method: "POST",
    headers: { authorization: authorization(), "content-type": "application/json" },
    body: JSON.stringify({ message: { to: "01000000001", from: "0200000000", text: "hello" } }),
  });
  return v.parse(Sent, await answer.json()).messageId;
};

test("B06: killed three times with sixteen sends under way: nothing that was answered is lost, the books balance", async () => {
  const file = join(freshFolder(), "sandbox.db");
  const answered: string[] = [];
  for (const round of [1, 2, 3]) {
    const server = await sandboxServer(program(), ["--data", file]);
    const enough = answered.length + round * 50;
    const deaths: Promise<unknown>[] = [];
    const sending = async (): Promise<never> => {
      for (;;) {
        answered.push(await send(server.baseUrl));
        if (answered.length === enough) deaths.push(server.kill());
      }
    };
    // Each ends with the connection that breaks: what was under way got no answer.
    await Promise.allSettled(Array.from({ length: 16 }, sending));
    await Promise.all(deaths);
    expect(deaths).toHaveLength(1);
  }
  expect(answered.length).toBeGreaterThanOrEqual(300);

  const server = await sandboxServer(program(), ["--data", file]);
  const tables = openTables(file);
  const rows = tables.all<{ found: number }>("SELECT count(*) AS found FROM messages");
  expect(rows[0]?.found).toBeGreaterThanOrEqual(answered.length);
  checkBooks({ rows: (sql) => tables.all(sql) });
  tables.close();
  for (const messageId of [answered[0], answered.at(-1)]) {
    const told = await fetch(`${server.baseUrl}/messages/v4/list?messageId=${messageId}`, {
      headers: { authorization: authorization() },
    });
    expect(await told.text()).toContain(messageId);
  }
  expect((await server.stop()).code).toBe(0);
});
