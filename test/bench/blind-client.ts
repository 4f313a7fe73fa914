/** A client as there are many: after a broken line it signs anew and sends the same message again. */
import { request } from "node:http";
import { authorization } from "../support/signer.ts";

const tries = 10;

const post = (url: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: authorization(),
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const sent = request(
      `${url}/messages/v4/send`,
      { method: "POST", agent: false, headers },
      (answer) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0)),
    );
    sent.on("error", reject).end(body);
  });

const send = async (url: string, to: string): Promise<void> => {
  const body = JSON.stringify({ message: { to, from: "0200000000", text: "x" } });
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const status = await post(url, body).catch(() => undefined);
    if (status === 200) return;
    if (status !== undefined) throw new Error(`${to}: ${status}`);
  }
  throw new Error(`${to}: no answer`);
};

/** One call for each recipient, one after the other. */
export const sendBlindly = async (url: string, recipients: readonly string[]): Promise<void> => {
  for (const to of recipients) await send(url, to);
};
