/** A service that answers at once and checks nothing: the balance to a GET, a sent message to a POST. */
import { createServer } from "node:http";

const message = Buffer.from(
  JSON.stringify({
    groupId: "G4V20260105180000AAAAAAAAAAAAAAA",
    messageId: "M4V20260105180000AAAAAAAAAAAAAAA",
    accountId: "26010500000001",
    to: "01000000001",
    from: "0200000000",
    type: "SMS",
    country: "82",
    statusCode: "2000",
    statusMessage: "accepted",
  }),
);
const balance = Buffer.from(
  JSON.stringify({
    balance: 1_000_000,
    point: 5_000,
    minimumCash: 3_000,
    rechargeTo: 50_000,
    rechargeTryCount: 0,
    autoRecharge: 0,
    accountId: "26010500000001",
    lowBalanceAlert: {
      enabled: false,
      notificationBalance: "200",
      currentBalance: "1000000",
      balances: [200],
      channels: ["SMS"],
    },
    deposit: 0,
    balanceOnly: 1_000_000,
  }),
);

const server = createServer((request, response) => {
  const body = request.method === "GET" ? balance : message;
  request.resume().on("end", () => {
    response
      .writeHead(200, { "content-type": "application/json", "content-length": body.length })
      .end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
process.on("SIGTERM", () => process.exit(0));
