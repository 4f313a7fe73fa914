/** Whatever stands in an address or a form: a page answers, and nothing of it becomes markup. */
import { expect, test } from "vitest";
import { pages } from "../../../src/sandbox/pages/layout.ts";
import { addressOf } from "../../../src/sandbox/pages/page.ts";
import { serveAll } from "../serve.ts";

const served = serveAll();

const oddities = ["", "<script>alert(1)</script>", `"'><b>`, "-1", "9".repeat(40), "constructor"];
const asked = ["from", "group", "account", "status", "said", "to", "q", "offset", "at"];

test.each(pages.map(({ name }) => name))("page '%s' of any address", async (name) => {
  for (const lang of ["ko", "en"])
    for (const oddity of oddities) {
      const query = new URLSearchParams(Object.fromEntries(asked.map((it) => [it, oddity])));
      const answer = await fetch(`${served.url}${addressOf(name)}?${query}&lang=${lang}`);
      expect(answer.status, oddity).toBe(200);
      const text = await answer.text();
      expect(text).not.toMatch(/<script>|'><b>/);
      expect(text).toContain("</html>");
    }
});

const fieldNames = [
  ...["on", "do", "faultId", "method", "path", "kind", "status", "delay", "delay-unit", "times"],
  ...["chance", "step", "by", "by-unit", "to", "skew", "skew-unit", "tick", "tick-unit", "rate"],
  ...["factor", "accountId", "balance", "point", "quota", "sender", "case", "id", "said"],
];
const actionsOf = pages.flatMap(({ name, actions = {} }) =>
  Object.keys(actions).map((action) => [name, action] as const),
);

test.each(actionsOf)("page '%s', form '%s' of any content", async (name, action) => {
  const page = await (await fetch(`${served.url}${addressOf("faults")}`)).text();
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  for (const oddity of oddities) {
    const body = new URLSearchParams(Object.fromEntries(fieldNames.map((it) => [it, oddity])));
    body.append("token", token);
    body.append("action", action);
    const headers = { origin: served.url };
    const address = served.url + addressOf(name);
    const answer = await fetch(address, { method: "POST", body, headers, redirect: "manual" });
    expect([303, 400, 404, 409, 422], oddity).toContain(answer.status);
    expect(await answer.text()).not.toMatch(/<script>|'><b>/);
  }
});
