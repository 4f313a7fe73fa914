/**
 * A service for runs that keeps no message: groups count what they are given, and are listed. `refuse` sends no
 * group. GET /requests tells how many requests there were since it was asked last.
 */
import { createServer, type IncomingMessage } from "node:http";

const refuses = process.argv[2] === "refuse";
const counts = new Map<string, number>();
const fields = new Map<string, unknown>();
const statuses = new Map<string, string>();
const asked = { requests: 0 };
const recipient = Buffer.from('"to":"');

const recipientsIn = (body: Buffer): number => {
  let count = 0;
  for (let at = body.indexOf(recipient); at >= 0; at = body.indexOf(recipient, at + 6)) count += 1;
  return count;
};

const time = "2026-01-05T09:00:00.000Z";
const purse = { requested: 0, replacement: 0, refund: 0, sum: 0 };
const types = { sms: 0, lms: 0, mms: 0, ata: 0, cta: 0, cti: 0 };

const groupOf = (groupId: string, status: string) => {
  const total = counts.get(groupId) ?? 0;
  const sent = { sentTotal: 0, sentFailed: 0, sentSuccess: 0, sentPending: 0, sentReplacement: 0 };
  const registered = { refund: 0, registeredFailed: 0, registeredSuccess: total };
  return {
    ...{ groupId, _id: groupId, accountId: "26010500000001", apiVersion: "4", status },
    ...{ dateCreated: time, dateUpdated: time, dateSent: null, dateCompleted: null },
    ...{ scheduledDate: null, isRefunded: false, flagUpdated: false, prepaid: true, strict: false },
    ...{ allowDuplicates: false, masterAccountId: null, sdkVersion: null, osPlatform: null },
    ...{
      hint: null,
      serviceMethod: "MT",
      customFields: fields.get(groupId) ?? {},
      log: [],
      price: {},
    },
    count: { total, ...sent, ...registered },
    ...{ countForCharge: {}, balance: { ...purse, requested: total * 20 }, point: purse },
    app: { profit: types, appId: null, version: null },
  };
};

const prices = { countryId: "82", countryName: "Korea", sms: 20, lms: 50, mms: 200 };
const money = { balance: 1_000_000_000, point: 0, minimumCash: 3_000, rechargeTo: 50_000 };

const day = { accountId: "26010500000001", dateCreated: time, dateUpdated: time };

const reads = (path: string): unknown => {
  if (path.startsWith("/pricing"))
    return { ...prices, ata: 13, cta: 19, cti: 23, dateCreated: time, dateUpdated: time };
  if (path.startsWith("/cash")) return { ...money, accountId: "26010500000001" };
  if (path.startsWith("/quota")) return { ...day, quota: 1_000_000_000 };
  if (path.endsWith("/statistics")) return { balance: 0, point: 0, dayPeriod: [], monthPeriod: [] };
  if (path.endsWith("/groups"))
    return { startKey: null, nextKey: null, limit: 500, groupList: listed() };
  const id = path.split("/")[4] ?? "";
  return groupOf(id, statuses.get(id) ?? "PENDING");
};

const listed = (): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...statuses].map(([id, status]) => [id, groupOf(id, status)]));

const writes = (path: string, body: Buffer): unknown => {
  const [, , , , id = `G4V20260105180000${String(counts.size).padStart(15, "0")}`, verb] =
    path.split("/");
  if (path === "/messages/v4/groups") {
    counts.set(id, 0);
    statuses.set(id, "PENDING");
    const made: { customFields?: unknown } = JSON.parse(body.toString("utf8"));
    fields.set(id, made.customFields);
  }
  if (verb === "send") statuses.set(id, "SENDING");
  if (path.startsWith("/messages/v4/send")) {
    const groupId = `G4V20260105180000${String(counts.size).padStart(15, "0")}`;
    counts.set(groupId, recipientsIn(body));
    return groupOf(groupId, "SENDING");
  }
  if (verb !== "messages") return groupOf(id, verb === "send" ? "SENDING" : "PENDING");
  counts.set(id, (counts.get(id) ?? 0) + recipientsIn(body));
  return { errorCount: 0, resultList: [] };
};

/** What Node has for this goes through a Blob, which takes longer on newer ones than all else here. */
const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const answer = async (request: IncomingMessage): Promise<readonly [number, unknown]> => {
  const path = (request.url ?? "").split("?")[0] ?? "";
  const body = await bodyOf(request);
  if (path === "/requests") {
    const { requests } = asked;
    asked.requests = 0;
    return [200, { requests }];
  }
  asked.requests += 1;
  if (request.method === "GET") return [200, reads(path)];
  if (refuses && path.endsWith("/send"))
    return [402, { errorCode: "NotEnoughBalance", errorMessage: "The balance is too short." }];
  return [200, writes(path, body)];
};

const server = createServer(async (request, response) => {
  const [status, value] = await answer(request);
  const body = Buffer.from(JSON.stringify(value));
  const headers = { "content-type": "application/json", "content-length": body.length };
  response.writeHead(status, headers).end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});
process.on("SIGTERM", () => process.exit(0));
