import { tool } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import type { Client } from "../../client/client.ts";
import type { Input } from "../../contract/endpoint.ts";
import { flag, membersOf, required } from "../../contract/fields.ts";
import { linkChannel, listCategories, requestLinkToken } from "../../contract/kakao.ts";
import { MsgError, usageError } from "../../errors.ts";
import { t } from "../../locale/locale.ts";
import type { Ask } from "../../prompt/prompt.ts";
import { channelColumns } from "./list.ts";

const { searchId, phoneNumber, categoryCode } = requestLinkToken.body.entries;

type NewChannel = Input<typeof requestLinkToken>["body"];

/** How often a person may type a token before a new one must be sent. */
const tries = 3;

const listCategoryChoices = async (ctx: Context) => {
  const client = await ctx.session.client();
  const categories = await client.call(listCategories, {});
  return categories.map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));
};

/** Not over one endpoint: the token is asked for only after it was sent. */
export default tool({
  additionalEndpoints: [linkChannel, requestLinkToken, listCategories],
  flags: {
    searchId: required(searchId),
    phoneNumber: required(phoneNumber),
    categoryCode: required(categoryCode),
    tokenStdin: flag("read the token from standard input instead of requesting one"),
  },
  questions: {
    searchId: { question: "search id of the channel" },
    phoneNumber: { question: "phone number of the channel's manager" },
    categoryCode: { question: "category of the channel", choices: listCategoryChoices },
  },
  columns: channelColumns,
  fields: Object.keys(membersOf(linkChannel.reply)),
  writes: true,
  examples: [
    "msg channel link",
    "msg channel link --search-id myshop --phone 01012340000 --category 00200020001",
    "echo 123456 | msg channel link --search-id myshop --phone 01012340000 --category 00200020001 --token-stdin",
  ],
  run: async (ctx, { flags: { tokenStdin, ...typed } }) => {
    const client = await ctx.session.client();
    const channel = { ...typed, phoneNumber: typed.phoneNumber.trim() };
    if (tokenStdin) return { record: await link(ctx, client, channel, await readToken(ctx)) };
    if (!ctx.ask) throw noTerminalError(channel);
    await client.call(requestLinkToken, { body: channel });
    await ctx.note(t`a token was sent to ${channel.phoneNumber} by KakaoTalk`);
    return { record: await askToken(ctx, ctx.ask, client, channel) };
  },
});

const link = async (ctx: Context, client: Client, channel: NewChannel, token: string) => {
  ctx.session.redact(token);
  return client.call(linkChannel, { body: { ...channel, token } });
};

/** Asks for the token until it matches the one that was sent. */
const askToken = async (ctx: Context, ask: Ask, client: Client, channel: NewChannel) => {
  const check = (typed: string) => (typed.trim() === "" ? t`a token is required` : undefined);
  for (let left = tries; ; left -= 1) {
    const token = await ask.hidden(t`token:`, { check });
    try {
      return await link(ctx, client, channel, token.trim());
    } catch (error) {
      const isWrong = error instanceof MsgError && error.code === "InvalidToken";
      if (!isWrong || left <= 1) throw error;
    }
    await ctx.note(t`wrong token`);
  }
};

const readToken = async (ctx: Context): Promise<string> => {
  const token = (await ctx.io.text("-")).trim();
  if (token !== "") return token;
  throw usageError(t`no token on standard input`, { todo: t`pipe it in: echo 123456 | msg …` });
};

const noTerminalError = ({ searchId, phoneNumber, categoryCode }: NewChannel): Error =>
  usageError(t`the token cannot be asked for without a terminal`, {
    code: "MissingValue",
    todo: t`run msg channel request-token --search-id ${searchId} --phone ${phoneNumber} --category ${categoryCode}, then msg channel link with the same flags and --token-stdin`,
  });
