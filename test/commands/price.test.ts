import { expect, test } from "vitest";
import { shell } from "../support/msg.ts";

test("all countries; 1 is the US and Canada", async () => {
  const { code, out } = await shell()("price --sandbox");
  const lines = out.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines).toHaveLength(8);
  expect(lines.slice(0, 2)).toEqual([
    "82\tKorea, South\t20\t50\t200\t19\t13\t20",
    "1\tUS and Canada\t50\t50\t200\t19\t13\t20",
  ]);
});

test("one country as the service tells it; an unknown one is exit 10", async () => {
  const msg = shell();
  expect((await msg("price 1 --sandbox --json")).json()).toMatchObject({
    countryId: "1",
    countryName: "United States",
    sms: 50,
  });
  expect((await msg("price +81 --sandbox --fields sms")).out).toBe("80\n");
  const { code, err } = await msg("price 7 --sandbox");
  expect(code).toBe(10);
  expect(err).toContain("InvalidCountryId");
});

test("--default is for 82 or the country named, and needs no login", async () => {
  const msg = shell();
  expect((await msg("price --default --sandbox --fields country,sms")).out).toBe("82\t20\n");
  expect((await msg("price 86 --default --sandbox --fields country,sms")).out).toBe("86\t40\n");
});

test("a flag that would be passed over is refused", async () => {
  const msg = shell();
  expect((await msg("price --app-id AppDevelop01 --sandbox")).code).toBe(2);
  expect((await msg("price 82 --service-method AUTH --sandbox")).code).toBe(2);
  expect((await msg("price --default --without-profit --sandbox")).code).toBe(2);
  expect((await msg("price --service-method MT --sandbox")).code).toBe(0);
});
