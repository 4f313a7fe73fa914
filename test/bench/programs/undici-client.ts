/** What the HTTP library alone gives: a pool of 16 kept connections, a signed request, the answer parsed. */
import { Pool } from "undici";
import { recipient, signed, timedSends } from "./timed-sends.ts";

const pool = new Pool(process.argv[2] ?? "", { connections: 16, pipelining: 1 });

await timedSends(async (index) => {
  const { body } = await pool.request({
    method: "POST",
    path: "/messages/v4/send",
    headers: { authorization: signed(), "content-type": "application/json" },
    body: Buffer.from(
      JSON.stringify({ message: { to: recipient(index), from: "0200000000", text: "안녕하세요" } }),
    ),
  });
  JSON.parse(await body.text());
});
await pool.close();
