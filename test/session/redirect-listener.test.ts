/** Where the browser comes back to. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { listenForRedirect } from "../../src/session/redirect-listener.ts";

test("a line that the browser opened and never used does not keep the login waiting", async () => {
  const listener = await listenForRedirect("the-state");
  const { port } = new URL(listener.address);
  const idle = connect(Number(port), "127.0.0.1");
  await once(idle, "connect");
  // Nor is it open to other machines: it listens at this one address.
  await expect(fetch(listener.address.replace("127.0.0.1", "127.0.0.2"))).rejects.toThrow();
  const page = await fetch(`${listener.address}?code=12345678&state=the-state`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("terminal")]);
  expect(await listener.returned).toMatchObject({ code: "12345678" });
  await listener.close();
  idle.destroy();
});
