import { describe, expect, test } from "vitest";
import { shell } from "../../support/msg.ts";
import { keyEnv } from "../../support/signer.ts";

const now = () => new Date("2026-01-05T09:00:00.000Z");

describe("msg sandbox", () => {
  test("the clock is set, advanced and skewed, without naming a profile", async () => {
    const msg = shell({ now });
    expect((await msg("sandbox clock set 2026-02-01T00:00:00Z --json")).json()).toMatchObject({
      business: "2026-02-01T00:00:00.000Z",
      signing: "2026-01-05T09:00:00.000Z",
    });
    expect((await msg("sandbox clock advance 1h --json")).json()).toMatchObject({
      business: "2026-02-01T01:00:00.000Z",
    });
    expect((await msg("sandbox clock skew 15m --json")).json()).toMatchObject({
      signing: "2026-01-05T09:15:00.000Z",
    });
    expect((await msg("sandbox clock show --json")).json()).toMatchObject({
      business: "2026-02-01T01:00:00.000Z",
      signing: "2026-01-05T09:15:00.000Z",
    });
    expect((await msg("balance --sandbox --json")).code).toBe(0);
    const requests = await msg("sandbox requests --sandbox -o tsv --fields path,verdict --all");
    const verdicts = requests.out.split("\n").filter((it) => it.startsWith("/cash/v1/balance"));
    // Refused, refused once more for the proof, and answered twice with the date that the sandbox shows.
    expect(verdicts.map((it) => it.split("\t")[1])).toEqual([
      "ok",
      "ok",
      "RequestTimeTooSkewed",
      "RequestTimeTooSkewed",
    ]);
  });

  test("business time moves back as well: a minus is no flag there", async () => {
    const msg = shell({ now });
    expect((await msg("sandbox clock advance -2h --json")).json()).toMatchObject({
      business: "2026-01-05T07:00:00.000Z",
    });
  });

  test("env names the key of the caller that is asked for", async () => {
    const { out } = await shell()("sandbox env -p sandbox:member");
    expect(out).toContain("export MSG_API_KEY=SANDBOXKEY000003\n");
  });

  test("the same seed makes the same ids, however slow the machine is", async () => {
    const real = { ms: 0 };
    const slow = (): Date => {
      real.ms += 7;
      return new Date(Date.parse("2026-02-01T00:00:00Z") + real.ms);
    };
    const msg = shell({ now: slow });
    const ids = async (): Promise<string> => {
      await msg("sandbox reset --seed 1");
      return (await msg("files list --sandbox --limit 3 --fields fileId,dateCreated")).out;
    };
    expect(await ids()).toBe(await ids());
    expect(await ids()).toContain("2026-01-04T09:00:00.000Z");
  });

  test.each([
    ["clock advance soon", "<advance>: must be a duration such as 250ms, 10s", "'soon'"],
    ["clock skew 15", "<skew>: must be a duration", "'15'"],
    ["clock set someday", "<set>: 'someday' is not a date", "2026-01-15"],
    ["clock set 1999-01-01", "<set>: must be a time between the years 2000 and 2099", "1998-12-31"],
    ["clock set 2150-01-01", "<set>: must be a time between the years 2000 and 2099", "2149-12-31"],
    ["set --balance -1", "--balance: must be a whole number from 0 to 1000000000000", "not -1"],
    ["set --point 0.5", "--point: must be a whole number", "not 0.5"],
    ["set --quota -1", "--quota: must be a whole number", "not -1"],
    ["set --tick -1s", "--tick: must be a duration", "'-1s'"],
    ["set --rate-limit 1.5", "--rate-limit: must be a whole number", "not 1.5"],
    ["set --sender 12", "--sender: must be a phone number of 8 to 12 digits", "'12'"],
    ["set --second-factor maybe", "--second-factor: takes required|off", "'maybe'"],
    ["reset --seed 1.5", "--seed: must be a whole number from 0", "not 1.5"],
    ["requests --limit 0", "--limit: must be a whole number from 1", "not 0"],
    ["codes --offset -1", "--offset: must be a whole number from 0", "not -1"],
    ["env --port 99999", "--port: must be a whole number from 1 to 65535", "not 99999"],
    ["start --port 1.5", "--port: must be a whole number from 0 to 65535", "not 1.5"],
    ["start --host 0.0.0.0", "--host: takes 127.0.0.1|::1|localhost", "'0.0.0.0'"],
  ])(
    "%s is bad usage, and says what is possible: nothing is sent",
    async (line, possible, given) => {
      const msg = shell({ now });
      const { code, err } = await msg(`sandbox ${line}`);
      expect(code).toBe(2);
      expect(err).toContain(possible);
      expect(err).toContain(given);
    },
  );

  test("more rows than a page holds are read page by page", async () => {
    const msg = shell({ now });
    expect((await msg("quota requests --sandbox --limit 501 --no-header")).code).toBe(0);
  });

  test("set changes the balance, reset puts it back", async () => {
    const msg = shell({ now });
    expect((await msg("sandbox set --balance 500 --point 0")).code).toBe(0);
    expect((await msg("balance --sandbox --json")).json()).toMatchObject({
      balance: 500,
      point: 0,
    });
    expect((await msg("sandbox reset --seed 3 --json")).json()).toMatchObject({
      seed: 3,
      business: "2026-01-05T09:00:00.000Z",
    });
    expect((await msg("balance --sandbox --json")).json()).toMatchObject({ balance: 1_000_000 });
  });

  test("the inbox shows what a phone received", async () => {
    const msg = shell({ now });
    await msg("send --sandbox --to 01000000001 --from 0200000000 --text 안녕하세요");
    await msg("sandbox clock advance 2s");
    expect((await msg("sandbox inbox list --json")).json()).toMatchObject([
      { to: "01000000001", from: "0200000000", type: "SMS", text: "안녕하세요" },
    ]);
  });

  test("requests lists who asked for what and why it was refused", async () => {
    const msg = shell({ now });
    await msg("message list -p sandbox:inactive");
    expect((await msg("sandbox requests --json")).json()).toMatchObject([
      {
        apiKey: "SANDBOXKEY000005",
        method: "GET",
        status: 403,
        verdict: "InactiveAccount",
      },
    ]);
  });

  test("accounts prints the keys with their secrets: as rows, and whole in JSON", async () => {
    const msg = shell({ now });
    const secret = `SANDBOXSECRET${"0".repeat(19)}`;
    expect((await msg("sandbox accounts")).out.split("\n")[0]).toContain(
      `SANDBOXKEY000001\t${secret}\tOWNER\t26010500000001`,
    );
    expect((await msg("sandbox accounts --json")).json()).toMatchObject({
      keys: expect.arrayContaining([expect.objectContaining({ secret })]),
    });
  });

  test("status and assumptions are there", async () => {
    const msg = shell({ now });
    expect((await msg("sandbox status --json")).json()).toMatchObject({ tickMs: 1000, seed: null });
    expect((await msg("sandbox assumptions --all --json")).json()).not.toHaveLength(0);
  });

  test("env prints lines that a shell can read, also with an IPv6 host", async () => {
    const msg = shell();
    expect((await msg("sandbox env")).out).toBe(
      [
        "export MSG_BASE_URL=http://127.0.0.1:4610",
        "export MSG_AUTH_URL=http://127.0.0.1:4610",
        "export MSG_API_KEY=SANDBOXKEY000001",
        `export MSG_API_SECRET=SANDBOXSECRET${"0".repeat(19)}`,
        "",
      ].join("\n"),
    );
    const elsewhere = await msg("sandbox env --base-url http://127.0.0.1:5000");
    expect([elsewhere.code, elsewhere.out, elsewhere.err]).toEqual([
      2,
      "",
      expect.stringContaining("takes the address as --host and --port"),
    ]);
    expect((await msg("sandbox env -o json")).json()).toEqual({
      MSG_BASE_URL: "http://127.0.0.1:4610",
      MSG_AUTH_URL: "http://127.0.0.1:4610",
      ...keyEnv(),
    });
    for (const line of ["sandbox env", "auth token --sandbox"]) {
      const { code, err } = await msg(`${line} --fields nosuch`);
      expect([code, err]).toEqual([2, "error: --fields: unknown field 'nosuch'\n"]);
    }
    expect((await msg("sandbox env --host ::1 --port 5000")).out).toContain("http://[::1]:5000\n");
  });

  test("start prints its addresses and ends with 0 when it is stopped", async () => {
    const stopped = AbortSignal.abort();
    const { code, out } = await shell({ signal: stopped })(
      "sandbox start --port 0 --memory --json",
    );
    expect(code).toBe(0);
    const { baseUrl, authUrl, pages } = JSON.parse(out.split("\n")[0] ?? "");
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([authUrl, pages]).toEqual([baseUrl, `${baseUrl}/_sandbox/`]);
  });

  test("start names its pages and opens them when it is asked to, and runs where no browser is", async () => {
    const opened: string[] = [];
    const open = async (address: string): Promise<void> => {
      opened.push(address);
      throw new Error("no browser");
    };
    const msg = shell({ signal: AbortSignal.abort(), open });
    const plain = await msg("sandbox start --port 0 --memory");
    expect([plain.code, opened]).toEqual([0, []]);
    expect(plain.err).toMatch(/pages: http:\S+\/_sandbox\/\n/);
    // Faults that are added without this are added to another sandbox.
    expect(plain.err).toMatch(/msg sandbox <command> --base-url http:\S+\n/);
    const usual = await msg("sandbox start --port 0");
    expect([usual.code, usual.err]).toEqual([0, expect.not.stringContaining("--base-url")]);
    const { code, out, err } = await msg("sandbox start --port 0 --memory --open --json");
    expect([code, opened]).toEqual([0, [JSON.parse(out.split("\n")[0] ?? "").pages]]);
    expect(err).toContain("no browser could be started");
  });

  test("start refuses hosts that other machines reach, and two places for its data", async () => {
    const msg = shell();
    expect(await msg("sandbox start --host 0.0.0.0 --port 0 --memory")).toMatchObject({ code: 2 });
    expect(await msg("sandbox start --memory --data x.db --port 0")).toMatchObject({ code: 2 });
  });
});
