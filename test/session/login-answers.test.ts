/** What a login does with its answers: tokens of any form, refusals, and what a person pastes. */
import { expect, test } from "vitest";
import { sandboxApp } from "../../src/config/sandbox-profiles.ts";
import { service } from "../client/service.ts";
import { consent, go } from "../commands/auth/browser.ts";
import { watchedWaits } from "../sandbox/doors.ts";
import { serveAll } from "../sandbox/serve.ts";
import { shell } from "../support/msg.ts";

const served = serveAll({ now: () => new Date() });

/** A login by a pasted code at a host of its own, which gives this token. */
const logIn = async (token: string, more = "") => {
  const auth = await service({ body: JSON.stringify({ access_token: token }) });
  const msg = shell();
  const hosts = `--base-url ${served.url} --auth-url ${auth.url}`;
  const line = `auth login --web --no-browser ${hosts} ${more}`;
  const ran = await msg(line, { stdin: "code-1234\nanother line" });
  const requests = auth.seen.map(({ method, path }) => `${method} ${path}`);
  return { msg, auth, ran, requests };
};

const tokenWith = (claims: object): string =>
  `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;

test.each(["opaque-token", tokenWith({ exp: 4_102_444_800, scope: "*" })])(
  "a token that says of no scope that it lacks it leads to no warning, and to its own host: %s",
  async (token) => {
    const { msg, auth, ran, requests } = await logIn(token);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).not.toContain("not granted");
    expect(requests).toEqual(["POST /oauth2/v1/access_token", "GET /oauth2/v1/userprofile"]);
    expect(JSON.parse(auth.seen[0]?.body ?? "")).toMatchObject({ code: "code-1234" });
    expect((await msg("profile list --json")).json()).toMatchObject([{ authUrl: auth.url }]);
  },
);

test("the sandbox's app, named or not, needs no secret for a host of this machine", async () => {
  const { auth, ran } = await logIn("opaque-token", `--client-id ${sandboxApp.clientId}`);
  expect(ran.code, ran.err).toBe(0);
  expect(auth.seen[0]?.body).toContain(sandboxApp.clientSecret);
});

test.each([
  ["access_denied", "AccessDenied", "access was denied in the browser"],
  ["server_error", "server_error", "the service gave no code"],
])("a redirect with the error %s ends with 7, and stores nothing", async (error, code, message) => {
  const paste = async (said: string): Promise<string> => {
    const address = new URL(/http\S+authorize\?\S+/.exec(said)?.[0] ?? "");
    return `http://127.0.0.1/callback?error=${error}&state=${address.searchParams.get("state")}`;
  };
  const msg = shell();
  const ran = await msg(`auth login --web --no-browser --base-url ${served.url} --json`, { paste });
  const said = JSON.parse(ran.err.trim().split("\n").at(-1) ?? "");
  expect([ran.code, said.error]).toMatchObject([7, { code, message }]);
  expect((await msg("profile list")).out).toBe("");
});

test("nothing waits for the browser once it came back", async () => {
  const { waits, wait } = watchedWaits();
  const open = async (address: string) => void (await go(await consent(address)));
  const { code } = await shell()(`auth login --web --base-url ${served.url}`, { wait, open });
  expect([code, [...waits]]).toEqual([0, []]);
});
