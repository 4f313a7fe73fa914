/** A browser without a window: opens the consent page, ticks boxes, presses a button, goes where it leads. */
import { request } from "node:http";

export interface Went {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One request, its body JSON unless the headers say otherwise; redirects are not followed. */
export const go = (
  address: string,
  { method = "GET", headers = {}, body }: Asked = {},
): Promise<Went> =>
  new Promise((resolve, reject) => {
    const typed = body === undefined ? {} : { "content-type": "application/json" };
    const outgoing = request(address, { method, headers: { ...typed, ...headers }, agent: false });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.end(body);
  });

interface Consent {
  readonly without?: readonly string[];
  readonly decision?: string;
  readonly memberId?: string;
}

/** Answers the page behind an address: the address that the browser is sent back to. */
export const consent = async (
  address: string,
  { without = [], decision = "allow", memberId }: Consent = {},
): Promise<string> => {
  const page = await go(address);
  const boxes = [...page.text.matchAll(/name="scope" value="([^"]+)"/g)].map(
    ([, name]) => name ?? "",
  );
  const form = new URLSearchParams({
    token: /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? "",
    decision,
    ...(memberId !== undefined && { memberId }),
    scope: boxes.filter((name) => !without.includes(name)).join(" "),
  });
  const cookie = String(page.headers["set-cookie"]).split(";")[0] ?? "";
  const decided = await go(new URL("/oauth2/v1/authorize/decision", address).href, {
    method: "POST",
    headers: { cookie, "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  return String(decided.headers.location);
};
