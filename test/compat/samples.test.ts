import { expect, test } from "vitest";
import { doors } from "../sandbox/doors.ts";
import { jpeg } from "../support/pictures.ts";
import { asking, sms } from "./door.ts";

/**
 * Documented pairs of a request and the members of its answer. A member ends in `:` and its type: text,
 * number, flag, list, object; `?` stands for null or for a type that changes.
 */
const dates = "dateCreated:text dateUpdated:text";
const template = `templateId:text name:text pfId:text accountId:text content:text isHidden:flag buttons:list codes:list ${dates}`;
const newer = `templateId:text name:text channelId:text channelGroupId:? assignType:text accountId:text securityFlag:flag categoryCode:text isHidden:flag isDeleted:flag content:text buttons:list quickReplies:list highlight:? item:? comments:list code:? commentable:flag status:text messageType:text emphasizeType:text extra:? ad:? emphasizeTitle:? emphasizeSubtitle:? imageId:? header:? variables:list ${dates}`;
const channel = `pfId:text searchId:text accountId:text phoneNumber:text senderKeys:list ${dates}`;
const newerChannel = `channelId:text searchId:text accountId:text phoneNumber:text sharedAccountIds:list ${dates}`;
const file = `kakao:object type:text originalName:text link:? width:? height:? fileSize:? fileId:text name:text url:text accountId:text references:list ${dates}`;
const quota = `status:text fileIds:list reasonRequested:text reasonRejected:? handleKey:text accountId:text requestedQuota:number ${dates}`;
const result =
  "to:text from:text type:text statusMessage:text country:text messageId:text statusCode:text accountId:text";
const group = `count:object countForCharge:object balance:object point:object app:object serviceMethod:text sdkVersion:? osPlatform:? log:list status:text dateSent:? dateCompleted:? isRefunded:flag flagUpdated:flag prepaid:flag strict:flag masterAccountId:? allowDuplicates:flag _id:text groupId:text accountId:text apiVersion:text customFields:object hint:? price:object ${dates}`;
const wallet = "enabled:flag balances:list channels:list notificationBalance:text currentBalance:?";
const movement =
  "balanceAmount:number pointAmount:number groupId:? memo:? rechargeMethod:? serviceMethod:? chargedMethod:? paymentMethod:? accountId:text oldBalance:number newBalance:number oldPoint:number newPoint:number type:text dateCreated:text historyId:text";
const withdrawal = `bankCode:text accountNumber:text holderName:text status:text isProcessing:flag confirmedCount:number memo:? transactionId:? transactionDate:? accountId:text amount:number fee:number totalAmount:number withdrawId:text dateConfirmed:? ${dates}`;
const keys = "startKey:? nextKey:?";
const bank = { accountNumber: "0012345678901", bankCode: "004", holderName: "Operator One" };
const [approved, pending, rejected] = [1, 2, 3].map((n) => `KA01TP260101000000000SANDBOX000${n}`);
const pfId = "KA01PF260101000000000SANDBOX0001";
const picture = Buffer.from(jpeg(500, 250)).toString("base64");

/** Method, path, body, members; and where in the answer they stand, as far as it is a list. */
const samples: readonly (readonly [string, string, unknown, string, string?])[] = [
  ["POST", "/messages/v4/send", { message: sms() }, `groupId:text ${result}`],
  [
    "POST",
    "/messages/v4/send",
    { message: sms({ customFields: { a: "b" } }) },
    "customFields:object",
  ],
  [
    "POST",
    "/messages/v4/send-many",
    { messages: [sms({ to: ["01000000001", "01000000001"] })] },
    group,
  ],
  [
    "POST",
    "/messages/v4/send-many/detail",
    { messages: [sms(), sms()], showMessageList: true },
    "failedMessageList:list groupInfo:object messageList:list",
  ],
  [
    "POST",
    "/messages/v4/send-many/detail",
    { messages: [sms(), sms()] },
    result,
    "failedMessageList",
  ],
  ["GET", "/messages/v4/list", undefined, `limit:number messageList:object ${keys}`],
  [
    "GET",
    "/messages/v4/list",
    undefined,
    `_id:text messageId:text groupId:text accountId:text to:text from:text text:text type:text country:text subject:? imageId:? kakaoOptions:object naverOptions:object rcsOptions:object customFields:object replacements:list autoTypeDetect:flag status:text statusCode:text reason:text networkCode:? networkName:text replacement:flag unavailableSenderNumber:flag resendCount:number faxPageCount:number voiceReplied:number voiceDuration:number queues:list currentQueue:? dateProcessed:? dateReported:? dateReceived:? log:list ${dates}`,
    "messageList",
  ],
  ["POST", "/messages/v4/groups", {}, group],
  ["GET", "/messages/v4/groups", undefined, `limit:number groupList:object ${keys}`],
  ["GET", "/messages/v4/groups", undefined, `scheduledDate:? ${group}`, "groupList"],
  [
    "GET",
    "/messages/v4/statistics",
    undefined,
    "balance:number point:number monthPeriod:list refund:object dayPeriod:list total:object successed:object failed:object dailyBalanceAvg:number dailyPointAvg:number dailyTotalCountAvg:number dailyFailedCountAvg:number dailySuccessedCountAvg:number",
  ],
  [
    "GET",
    "/messages/v4/statistics/daily",
    undefined,
    "refund:object appId:? prepaid:flag balance:number point:number taxIssued:flag profitSettlement:flag profit:number masterAccountId:? accountId:text date:text count:object",
    "",
  ],
  [
    "GET",
    "/pricing/v1/messaging?countryId=82",
    undefined,
    `countryName:text countryId:text sms:number lms:number mms:number ata:number cta:number cti:number ${dates}`,
  ],
  [
    "GET",
    "/pricing/v1/messaging/countries",
    undefined,
    "countryId:text countryName:text sms:number",
    "",
  ],
  [
    "POST",
    "/kakao/v1/templates",
    { pfId, name: "welcome", content: "#{name}, welcome." },
    template,
  ],
  [
    "PUT",
    `/kakao/v1/templates/${rejected}`,
    { content: "#{name}, hello." },
    "providerA:object biz:object",
  ],
  ["PUT", `/kakao/v1/templates/${approved}/hide`, { isHidden: true }, template],
  ["GET", `/kakao/v1/templates/${approved}`, undefined, template],
  ["GET", "/kakao/v1/templates", undefined, `limit:number templateList:list ${keys}`],
  ["GET", "/kakao/v1/templates", undefined, template, "templateList"],
  ["POST", `/kakao/v1/templates/${approved}/comment`, { comment: "please check" }, template],
  ["PUT", `/kakao/v1/templates/${pending}/inspection`, {}, template],
  ["DELETE", `/kakao/v1/templates/${rejected}`, undefined, `status:text ${template}`],
  ["GET", "/kakao/v1/categories", undefined, "code:text name:text", ""],
  [
    "POST",
    "/kakao/v1/plus-friends/token",
    { searchId: "@sample", phoneNumber: "01000000001", categoryCode: "00200020001" },
    "success:flag",
  ],
  ["GET", "/kakao/v1/plus-friends", undefined, `limit:number friends:list ${keys}`],
  ["GET", `/kakao/v1/plus-friends/${pfId}`, undefined, channel],
  [
    "POST",
    "/kakao/v2/templates",
    { channelId: pfId, name: "order", content: "#{name}", categoryCode: "003001" },
    newer,
  ],
  ["GET", `/kakao/v2/templates/${approved}`, undefined, newer],
  ["GET", "/kakao/v2/templates", undefined, newer, "templateList"],
  [
    "GET",
    "/kakao/v2/templates/categories",
    undefined,
    "code:text name:text groupName:text inclusion:text exclusion:text",
    "",
  ],
  ["GET", "/kakao/v2/channels", undefined, newerChannel, "channelList"],
  ["GET", "/kakao/v2/channels/categories", undefined, "code:text name:text", ""],
  [
    "POST",
    "/storage/v1/files",
    { file: picture, type: "KAKAO", name: "banner", link: "https://example.com/p" },
    file,
  ],
  ["GET", "/storage/v1/files", undefined, `fileList:list ${keys}`],
  ["GET", "/storage/v1/files", undefined, file, "fileList"],
  ["GET", "/quota/v1/me", undefined, `quota:number accountId:text ${dates}`],
  ["GET", "/quota/v1/me/system", undefined, `limit:number increaseQuotaList:list ${keys}`],
  ["POST", "/quota/v1/me/system", { quota: 200_000, reasonRequested: "monthly notice" }, quota],
  [
    "GET",
    "/appstore/v2/profits?startDate=2020-01-01 00:00:00&endDate=2030-01-01 00:00:00".replaceAll(
      " ",
      "%20",
    ),
    undefined,
    "expectedProfit:number completed:list",
  ],
  [
    "PUT",
    "/appstore/v2/me/apps/AppDevelop01/stage",
    {},
    `thumbnail:object profit:object apphomeConfig:object appVersion:? screenshots:list homepage:? categories:list intro:? description:? stage:text status:text reasonBlocked:? email:? log:list appDomain:? customDomain:? type:text appName:text accountId:text clientId:text appId:text ${dates}`,
  ],
  [
    "GET",
    "/senderid/v1/numbers",
    undefined,
    `accountId:text limit:number senderIds:list limitationDocuments:list ${dates}`,
  ],
  ["POST", "/_sandbox/blocks", { to: "01000000009", memo: "asked to stop" }, "to:text"],
  [
    "GET",
    "/iam/v1/block/numbers",
    undefined,
    `blockNumberId:text accountId:text phoneNumber:text memo:text blockGroupIds:list ${dates}`,
    "blockNumbers",
  ],
  [
    "GET",
    "/iam/v1/block/groups",
    undefined,
    `blockGroupId:text accountId:text status:text name:? useAll:flag senderNumbers:list ${dates}`,
    "blockGroups",
  ],
  ["GET", "/iam/v1/black?type=DENIAL", undefined, `limit:number blackList:list ${keys}`],
  [
    "GET",
    "/cash/v1/balance",
    undefined,
    "lowBalanceAlert:object point:number minimumCash:number rechargeTo:number rechargeTryCount:number autoRecharge:number accountId:text balance:number",
  ],
  ["GET", "/cash/v1/balance/alert", undefined, `lowBalanceAlert:object _id:text ${dates}`],
  ["GET", "/cash/v1/balance/alert", undefined, wallet, "lowBalanceAlert."],
  ["PUT", "/cash/v1/balance/alert/switch", { enabled: false }, "accountId:text enabled:flag"],
  ["GET", "/cash/v1/balance/history", undefined, movement, ""],
  [
    "POST",
    "/cash/v1/payment",
    { cardNumber: "4111111111111111", cvc: "123", expYear: 29, expMonth: 5 },
    "description:text expDate:text paymentId:text",
  ],
  [
    "GET",
    "/cash/v1/payment",
    undefined,
    "autoRecharge:number expDate:text _id:text description:text",
    "payments",
  ],
  [
    "POST",
    "/cash/v1/bank/accounts",
    bank,
    "accountNumber:text bankCode:text holderName:text success:flag",
  ],
  [
    "GET",
    "/cash/v1/bank/accounts",
    undefined,
    `accountId:text bankCode:text accountNumber:text holderName:text ${dates}`,
  ],
  ["POST", "/cash/v1/withdraw", { amount: 20_000 }, withdrawal],
  ["GET", "/cash/v1/withdraw", undefined, withdrawal, "data"],
  [
    "GET",
    "/cash/v1/estimate?company=Example&type=SMS&qty=1000",
    undefined,
    "company:text items:list supplyCostTotal:number taxTotal:number totalAmount:number dateIssued:text",
  ],
  ["DELETE", "/cash/v1/bank/accounts", undefined, "n:number"],
];

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return "list";
  return { string: "text", boolean: "flag" }[String(typeof value)] ?? typeof value;
};

/** The first row of a list, the member before a dot, or the answer itself. */
const placeIn = (body: object, at: string | undefined): object => {
  if (at === undefined) return body;
  const found: unknown = at === "" ? body : Reflect.get(body, at.replace(".", ""));
  const rows = at.endsWith(".") ? [found] : Object.values(Object(found));
  return Object(rows[0]);
};

test.each(doors)(
  "documented requests are answered in the documented shape, %s",
  async (_name, open) => {
    const door = await open();
    const ask = asking(door);
    await ask("PUT", "/_sandbox/settings", { secondFactor: "off" });
    const wrong: string[] = [];
    for (const [method, target, sent, members, at] of samples) {
      const { status, body } = await ask(method, target, sent);
      const row = placeIn(body, at);
      const missing = members.split(" ").filter((member) => {
        const [name = "", type] = member.split(":");
        return !(name in row) || (type !== "?" && typeOf(Reflect.get(row, name)) !== type);
      });
      if (status !== 200 || missing.length > 0)
        wrong.push(
          `${method} ${target} ${status}: ${missing.join(" ")} ${JSON.stringify(body).slice(0, 200)}`,
        );
    }
    expect(wrong).toEqual([]);
    await door.close();
  },
);
