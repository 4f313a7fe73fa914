import { describe, expect, test } from "vitest";
import { contract } from "../../../src/contract/index.ts";
import { type Door, doors } from "../doors.ts";
import { openEnv } from "../environment.ts";
import { replyOf } from "../replies.ts";

const countries = "/pricing/v1/messaging/countries";

describe("prices", () => {
  test("82 comes first, then by number; pages by offset", async () => {
    const env = await openEnv();
    const told = await env.call("GET", countries);
    const prices = replyOf(contract.listPrices, told);
    expect(prices.map((it) => it.countryId)).toEqual("82,1,81,86,239,370,670,993".split(","));
    expect(prices[0]).toMatchObject({ sms: 20, lms: 50, mms: 200, ata: 19, cta: 13, cti: 20 });
    expect(told.assumptions).toContain("price-order");
    const page = await env.call("GET", `${countries}?offset=2&limit=2`);
    expect(page.body).toEqual(prices.slice(2, 4));
    expect((await env.call("GET", `${countries}?countryId=81`)).body).toEqual([prices[2]]);
    expect((await env.call("GET", `${countries}?serviceMethod=AUTH`)).body).toEqual([]);
  });

  test("the default price of one country; an unknown one is 400 InvalidCountryId", async () => {
    const env = await openEnv();
    const at = (query: string) => env.call("GET", `/pricing/v1/messaging/default${query}`);
    expect((await at("")).body).toMatchObject({ countryId: "82", sms: 20 });
    expect((await at("?countryId=86")).body).toMatchObject({ countryName: "China", sms: 40 });
    expect(await at("?countryId=7")).toMatchObject({
      status: 400,
      body: { errorCode: "InvalidCountryId" },
    });
    expect(await at("?appId=abc")).toMatchObject({
      status: 400,
      body: { errorCode: "ValidationError" },
    });
  });
});

describe.each(doors)("who may ask for prices, %s", (_name, open) => {
  const ask = async (signing: Parameters<Door["call"]>[2]) => {
    const door = await open();
    try {
      const { status } = await door.call("GET", countries, signing);
      return status;
    } finally {
      await door.close();
    }
  };

  test("anybody without credentials; wrong ones are refused all the same", async () => {
    expect(await ask({ signing: null })).toBe(200);
    expect(await ask({})).toBe(200);
    expect(await ask({ signing: { secret: "wrong" } })).toBe(403);
  });
});
