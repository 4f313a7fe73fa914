/** A service whose list of messages has as many rows as the first part of the path says, 500 a page. */
import { createServer } from "node:http";

const page = 500;

const row = (at: number) => {
  const messageId = `M4V20260105180000${String(at).padStart(15, "0")}`;
  return {
    messageId,
    _id: messageId,
    groupId: "G4V20260105180000AAAAAAAAAAAAAAA",
    accountId: "26010500000001",
    to: `010${String(at).padStart(8, "0")}`,
    from: "0200000000",
    text: "안녕하세요",
    country: "82",
    type: "SMS",
    status: "COMPLETE",
    statusCode: "4000",
    reason: "sending finished",
    dateCreated: "2026-01-05T09:00:00.000Z",
    dateUpdated: "2026-01-05T09:00:02.000Z",
  };
};

const made = new Map<string, Buffer>();

const answer = (total: number, from: number): Buffer => {
  const until = Math.min(from + page, total);
  const rows = Array.from({ length: until - from }, (_, index) => row(from + index));
  return Buffer.from(
    JSON.stringify({
      startKey: null,
      nextKey: until < total ? row(until).messageId : null,
      limit: page,
      messageList: Object.fromEntries(rows.map((it) => [it.messageId, it])),
    }),
  );
};

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const total = Number(url.pathname.split("/")[1]);
  const from = Number((url.searchParams.get("startKey") ?? "").slice(-15));
  const key = `${total} ${from}`;
  const body = made.get(key) ?? answer(total, from);
  made.set(key, body);
  response
    .writeHead(200, { "content-type": "application/json", "content-length": body.length })
    .end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
process.on("SIGTERM", () => process.exit(0));
