/** The floor of one signed read: node:http, a signature, the body to standard output. */
import { createHmac, randomBytes } from "node:crypto";
import { get } from "node:http";

const [base = ""] = process.argv.slice(2);
const date = new Date().toISOString();
const salt = randomBytes(16).toString("hex");
const signature = createHmac("sha256", "SANDBOXSECRET0000000000000000000")
  .update(date + salt)
  .digest("hex");
const authorization = `HMAC-SHA256 apiKey=SANDBOXKEY000001, date=${date}, salt=${salt}, signature=${signature}`;
get(`${base}/cash/v1/balance`, { agent: false, headers: { authorization } }, (response) => {
  response.pipe(process.stdout);
});
