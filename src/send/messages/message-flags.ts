/** What `msg send` and `msg send-many` share: the flags of a message, and the message made of them. */
import * as v from "valibot";
import type { Values } from "../../contract/endpoint.ts";
import { flag, id, money, pairs, phone, text, withDescription } from "../../contract/fields.ts";
import type { Template } from "../../contract/kakao.ts";
import {
  agent,
  kakaoOptions,
  type MessageInput,
  messageTypes,
} from "../../contract/message-records.ts";
import { invalidInput, type Problem } from "../../errors.ts";
import { advertisingChecks, allProblems, registrationChecks } from "../../message/check.ts";
import { namedCountry, normaliseNumber, normaliseSender } from "../../message/numbers.ts";
import type { Ports } from "../../ports.ts";
import { templateOptions } from "./template.ts";

export const messageFlags = {
  from: phone("registered sender number; default: the profile's"),
  text: text("text; @file reads it from a file, - from standard input"),
  type: text("SMS, LMS, MMS, ATA (Alimtalk, 알림톡), CTA, CTI …; default: detected", {
    offers: messageTypes,
  }),
  country: text("country code without a plus; default: 82"),
  subject: text("title of an LMS or MMS, up to 40 bytes"),
  image: text("picture of an MMS: a file such as photo.jpg, or a fileId of msg files"),
  kakao: withDescription(
    kakaoOptions,
    "Kakao options as JSON or @file: pfId, templateId, variables …",
  ),
  template: id("Kakao template; columns and --var fill its variables"),
  channel: id("Kakao channel; default: the template's own"),
  fallbackText: text("text of the SMS or LMS sent if Kakao cannot deliver"),
  var: pairs("value of a #{variable} for every row; a row's own value overrides it"),
  allowEmpty: flag("allow a #{variable} to be empty"),
  field: pairs("your own data, kept with the message"),
  strict: flag("refuse characters outside KS X 1001 (완성형)"),
  autoType: flag("detect the type from the content; --no-auto-type requires --type"),
  allowDuplicates: flag("let one number receive several messages of this call"),
  agent: pairs(
    "appId (from msg app profits or the service's console), osPlatform, sdkVersion of the caller",
    { names: Object.keys(agent.entries) },
  ),
  maxCost: v.pipe(money("stop before sending if it would cost more"), v.minValue(0)),
} as const;

export const adFlag = flag("advertisement: needs (광고) and a free 080 number; not sent at night");

export type MessageFlags = Values<typeof messageFlags>;

/** Members of a message that the flags give; a row's own values override them. */
export const messageDefaults = (
  ctx: Ports,
  flags: MessageFlags,
  template: Template | undefined,
): MessageInput => ({
  ...defined({
    from: flags.from ?? ctx.settings.from.value,
    text: flags.text,
    type: flags.type?.toUpperCase(),
    country: namedCountry(flags.country),
    subject: flags.subject,
    imageId: flags.image,
    customFields: flags.field,
    replacementText: flags.fallbackText,
    autoTypeDetect: flags.autoType,
  }),
  ...(flags.kakao && { kakaoOptions: flags.kakao }),
  ...(template && { kakaoOptions: templateOptions(template) }),
});

/** The members next to `messages` that both calls take. */
export const callOptions = (flags: MessageFlags) =>
  defined({ strict: flags.strict, allowDuplicates: flags.allowDuplicates, agent: flags.agent });

/** Numbers in the form the service takes, and the checks that need no server; exit 2 with all of them. */
export const checkMessageFlags = (
  message: MessageInput,
  { strict, ad }: { readonly strict?: boolean | undefined; readonly ad?: boolean | undefined },
): MessageInput => {
  const { country } = message;
  const problems: Problem[] = [];
  const digits = (field: "to" | "from", typed: string): string => {
    const read =
      field === "to" ? normaliseNumber(typed, { country }) : normaliseSender(typed, country);
    if (read.problem) problems.push({ ...read.problem, field });
    return read.digits ?? typed;
  };
  const to = [message.to ?? []].flat().map((typed) => digits("to", typed));
  const from = message.from === undefined ? undefined : digits("from", message.from);
  const ready: MessageInput = {
    ...message,
    to: to.length === 1 ? (to[0] ?? "") : to,
    ...(from !== undefined && { from }),
  };
  if (problems.length === 0)
    problems.push(
      ...allProblems(ready, [...registrationChecks({ strict }), ...(ad ? advertisingChecks : [])]),
    );
  if (problems.length > 0)
    throw invalidInput(problems.map((it) => ({ ...it, field: flagOf(it.field) })));
  return ready;
};

/** Flags that are not named like their members. */
const flagNames = new Map([
  ["imageId", "image"],
  ["kakaoOptions", "kakao"],
  ["customFields", "field"],
]);

/** The flag of a member: `--subject`, `--kakao pfId`. */
const flagOf = (member = ""): string => {
  const [head = "", ...inside] = member.split(".");
  return [`--${flagNames.get(head) ?? head}`, ...inside].join(" ");
};

const defined = <T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined)) as never;
