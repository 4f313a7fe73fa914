/**
 * The usual client of such a service, as light as its cost allows: every call is an effect that `effect`
 * runs. Messages are decoded as they were given, the settings of the call by themselves, and both once
 * more as one request; the request is signed and serialised, `fetch` sends it, a schedule says what is
 * tried again, and the answer is read as text and parsed. It is not decoded: the client that this one
 * stands for leaves that out too, and must not be made to look slower than it is.
 */
import { Data, Effect, Schema } from "effect";
import { authorization } from "../../support/signer.ts";

class Refused extends Data.TaggedError("Refused")<{ readonly why: unknown }> {}
class Unreached extends Data.TaggedError("Unreached")<{ readonly why: unknown }> {}

const Digits = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: (typed) => typed.replace(/-/g, ""),
  encode: (digits) => digits,
}).pipe(
  Schema.filter((digits) => digits.trim() !== ""),
  Schema.filter((digits) => /^\d+$/.test(digits)),
);
const Words = Schema.Record({ key: Schema.String, value: Schema.String });
const text = Schema.optional(Schema.String);
const channel = Schema.optional(Schema.Struct({ templateId: text, variables: Words }));

const Message = Schema.Struct({
  to: Schema.Union(Digits, Schema.Array(Digits)),
  from: Schema.optional(Digits),
  ...{ text, subject: text, imageId: text, country: text },
  type: Schema.optional(Schema.Literal("SMS", "LMS", "MMS", "ATA", "CTA", "CTI", "RCS_SMS")),
  autoTypeDetect: Schema.optional(Schema.Boolean),
  replacements: Schema.optional(Schema.Array(Schema.Struct({}))),
  customFields: Schema.optional(Words),
  ...{
    kakaoOptions: channel,
    rcsOptions: channel,
    naverOptions: channel,
    faxOptions: channel,
    voiceOptions: channel,
  },
});
const Messages = Schema.Array(Message).pipe(Schema.filter((all) => all.length > 0));
const Given = Schema.Union(Message, Messages);
const flag = Schema.optional(Schema.Boolean);
const Settings = Schema.Struct({ scheduledDate: text, appId: text, allowDuplicates: flag });
const Request = Schema.Struct({ ...Settings.fields, messages: Messages, showMessageList: flag });

const decode = <Type, Encoded>(schema: Schema.Schema<Type, Encoded>, value: unknown) =>
  Effect.mapError(Schema.decodeUnknown(schema)(value), (why) => new Refused({ why }));

const refused = (why: unknown) => new Refused({ why });

const request = (url: string, value: unknown) =>
  Effect.gen(function* () {
    const signed = yield* Effect.try({ try: () => authorization(), catch: refused });
    const body = yield* Effect.try({ try: () => JSON.stringify(value), catch: refused });
    const headers = { Authorization: signed, "Content-Type": "application/json" };
    const response = yield* Effect.tryPromise({
      try: () => fetch(url, { method: "POST", headers, body }),
      catch: (why) => new Unreached({ why }),
    });
    if (!response.ok) return yield* new Refused({ why: response.status });
    const answer = yield* Effect.tryPromise({ try: () => response.text(), catch: refused });
    return yield* Effect.try({ try: (): unknown => JSON.parse(answer), catch: refused });
  }).pipe(Effect.retry({ times: 3, while: (error) => error._tag === "Unreached" }));

/** Sends one message or many to `url`; answers the parsed answer. */
export const usualSend = (url: string, given: unknown): Promise<unknown> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const decoded = yield* decode(Given, given);
      const settings = yield* decode(Settings, {});
      const messages = Array.isArray(decoded) ? decoded : [decoded];
      return yield* request(url, yield* decode(Request, { ...settings, messages }));
    }),
  );
