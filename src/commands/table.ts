/** Every command of `msg`: its words, one sentence, and where it is loaded from when it is run. */
import type { CommandEntry } from "../cli/command.ts";

const entry = (summary: string, load: CommandEntry["load"], hidden?: "hidden"): CommandEntry => ({
  summary,
  load,
  ...(hidden && { hidden: true }),
});

export const table: Readonly<Record<string, CommandEntry>> = {
  send: entry("Send one message, or one text to several recipients", () => import("./send.ts")),
  "send-many": entry(
    "Send the messages of a file or of standard input",
    () => import("./send-many.ts"),
  ),
  "run list": entry("List the runs of this machine, newest first", () => import("./run/list.ts")),
  "run show": entry("Show what a run amounts to", () => import("./run/show.ts")),
  "run reconcile": entry(
    "Look what became of requests in doubt, and send nothing",
    () => import("./run/reconcile.ts"),
  ),
  "run cancel": entry(
    "Delete the groups of a run that were not sent",
    () => import("./run/cancel.ts"),
  ),
  "run export": entry("Print rows of a run, to be sent again", () => import("./run/export.ts")),
  "run purge": entry("Remove old runs from this machine", () => import("./run/purge.ts")),
  "message list": entry("List messages, newest first", () => import("./message/list.ts")),
  "message get": entry("Show one message", () => import("./message/get.ts")),
  "group list": entry("List groups, newest first", () => import("./group/list.ts")),
  "group get": entry("Show one group, or its log", () => import("./group/get.ts")),
  "group create": entry("Create an empty group", () => import("./group/create.ts")),
  "group add": entry(
    "Add the messages of a file or of standard input to a group",
    () => import("./group/add.ts"),
  ),
  "group messages": entry(
    "List the messages of a group, newest first",
    () => import("./group/messages.ts"),
  ),
  "group remove": entry(
    "Remove messages from a group that was not sent",
    () => import("./group/remove.ts"),
  ),
  "group send": entry("Send a group", () => import("./group/send.ts")),
  "group schedule": entry(
    "Schedule a group, or change when it is sent",
    () => import("./group/schedule.ts"),
  ),
  "group unschedule": entry(
    "Cancel the schedule of a group",
    () => import("./group/unschedule.ts"),
  ),
  "group resend": entry(
    "Send a group again that failed as a whole",
    () => import("./group/resend.ts"),
  ),
  "group delete": entry("Delete a group that was not sent", () => import("./group/delete.ts")),
  "group wait": entry(
    "Wait until every message of a group is reported",
    () => import("./group/wait.ts"),
  ),
  "group export": entry(
    "Save the list of groups as a spreadsheet",
    () => import("./group/export.ts"),
  ),
  "message wait": entry(
    "Wait until a message was delivered or failed",
    () => import("./message/wait.ts"),
  ),
  "message export": entry("Write messages into a spreadsheet", () => import("./message/export.ts")),
  stats: entry(
    "Show how many messages were sent, how they ended and what they cost",
    () => import("./stats.ts"),
  ),
  "stats daily": entry(
    "List statistics by day, app and way of paying",
    () => import("./stats/daily.ts"),
  ),
  "stats download": entry(
    "Write statistics into a spreadsheet",
    () => import("./stats/download.ts"),
  ),
  price: entry("Show what messages cost, by country", () => import("./price.ts")),
  "text check": entry(
    "Measure a text: bytes, type, and what is wrong with it",
    () => import("./text/check.ts"),
  ),
  api: entry("Call any endpoint, signed", () => import("./api.ts")),
  explain: entry("Explain a status code or an error code", () => import("./explain.ts")),
  balance: entry("Show balance and points", () => import("./balance.ts")),
  "balance history": entry(
    "List the movements of balance and points, newest first",
    () => import("./balance/history.ts"),
  ),
  "balance alert": entry("Show the low-balance alert", () => import("./balance/alert.ts")),
  "balance alert on": entry("Turn the low-balance alert on", () => import("./balance/alert/on.ts")),
  "balance alert off": entry(
    "Turn the low-balance alert off",
    () => import("./balance/alert/off.ts"),
  ),
  "balance alert set": entry(
    "Set the balances and channels of the low-balance alert",
    () => import("./balance/alert/set.ts"),
  ),
  "balance charge": entry(
    "Charge the balance from a registered card",
    () => import("./balance/charge.ts"),
  ),
  "balance transfer": entry(
    "Transfer balance to another account",
    () => import("./balance/transfer.ts"),
  ),
  "balance quote": entry("Issue a quote", () => import("./balance/quote.ts")),
  "balance statement": entry(
    "Issue a statement of one movement",
    () => import("./balance/statement.ts"),
  ),
  "payment list": entry(
    "List the registered cards in the order of their priority",
    () => import("./payment/list.ts"),
  ),
  "payment add": entry("Register a card", () => import("./payment/add.ts")),
  "payment remove": entry("Remove a card", () => import("./payment/remove.ts")),
  "payment priority": entry(
    "Set the order in which cards are charged",
    () => import("./payment/priority.ts"),
  ),
  "payment auto-recharge": entry(
    "Show automatic recharge",
    () => import("./payment/auto-recharge.ts"),
  ),
  "payment auto-recharge on": entry(
    "Turn automatic recharge on",
    () => import("./payment/auto-recharge/on.ts"),
  ),
  "payment auto-recharge off": entry(
    "Turn automatic recharge off",
    () => import("./payment/auto-recharge/off.ts"),
  ),
  "payment auto-recharge set": entry(
    "Set the amounts of automatic recharge",
    () => import("./payment/auto-recharge/set.ts"),
  ),
  "payment bank": entry(
    "Show the bank account that withdrawals go to",
    () => import("./payment/bank.ts"),
  ),
  "payment bank add": entry(
    "Register the bank account that withdrawals go to",
    () => import("./payment/bank/add.ts"),
  ),
  "payment bank remove": entry("Remove the bank account", () => import("./payment/bank/remove.ts")),
  "payment withdraw list": entry(
    "List withdrawals, newest first",
    () => import("./payment/withdraw/list.ts"),
  ),
  "payment withdraw request": entry(
    "Request a withdrawal to the bank account",
    () => import("./payment/withdraw/request.ts"),
  ),
  "template create": entry("Create a Kakao template", () => import("./template/create.ts")),
  "template update": entry(
    "Change a template; both providers review it anew",
    () => import("./template/update.ts"),
  ),
  "template comment": entry(
    "Write to the reviewers of a template",
    () => import("./template/comment.ts"),
  ),
  "template list": entry("List templates, newest first", () => import("./template/list.ts")),
  "template get": entry("Show a template, as a phone shows it", () => import("./template/get.ts")),
  "template delete": entry("Delete a template", () => import("./template/delete.ts")),
  "template hide": entry("Hide a template", () => import("./template/hide.ts")),
  "template unhide": entry("Show a hidden template again", () => import("./template/unhide.ts")),
  "template request-review": entry(
    "Ask the service to review a template",
    () => import("./template/request-review.ts"),
  ),
  "channel link": entry("Link a Kakao channel, step by step", () => import("./channel/link.ts")),
  "channel request-token": entry(
    "Have the token sent that links a channel",
    () => import("./channel/request-token.ts"),
  ),
  "channel list": entry("List the linked channels", () => import("./channel/list.ts")),
  "channel get": entry("Show a linked channel", () => import("./channel/get.ts")),
  "channel categories": entry(
    "List the categories of channels",
    () => import("./channel/categories.ts"),
  ),
  "channel unlink": entry(
    "Unlink a channel; its templates are deleted with it",
    () => import("./channel/unlink.ts"),
  ),
  "files list": entry("List files, newest first", () => import("./files/list.ts")),
  "files get": entry("Show a file and what uses it", () => import("./files/get.ts")),
  "files upload": entry(
    "Upload a picture or a document, checked beforehand",
    () => import("./files/upload.ts"),
  ),
  "files download": entry("Save the bytes of a file", () => import("./files/download.ts")),
  "files delete": entry("Delete a file that nothing uses", () => import("./files/delete.ts")),
  quota: entry("Show how many messages may be sent a day", () => import("./quota.ts")),
  "quota requests": entry(
    "List the requests for a higher quota",
    () => import("./quota/requests.ts"),
  ),
  "quota request": entry("Ask for a higher quota", () => import("./quota/request.ts")),
  "app profits": entry("List what apps earned", () => import("./app/profits.ts")),
  "app go-live": entry("Set an app live", () => import("./app/go-live.ts")),
  "auth login": entry(
    "Store an API key in a profile, or log in with a browser",
    () => import("./auth/login.ts"),
  ),
  "auth refresh": entry("Get another access token", () => import("./auth/refresh.ts")),
  "auth token": entry("Print the access token into a pipe", () => import("./auth/token.ts")),
  "auth status": entry(
    "Show who is logged in, on which host, and what is stored where",
    () => import("./auth/status.ts"),
  ),
  "auth logout": entry(
    "Remove the stored credentials of a profile",
    () => import("./auth/logout.ts"),
  ),
  "auth can": entry("Tell what this profile may do", () => import("./auth/can.ts")),
  "profile list": entry("List the profiles", () => import("./profile/list.ts")),
  "profile use": entry("Make a profile the current one", () => import("./profile/use.ts")),
  "profile show": entry(
    "Show every setting with where it comes from",
    () => import("./profile/show.ts"),
  ),
  "profile set": entry("Set a value in a profile", () => import("./profile/set.ts")),
  "profile unset": entry("Remove a value from a profile", () => import("./profile/unset.ts")),
  "profile rename": entry("Rename a profile", () => import("./profile/rename.ts")),
  "profile remove": entry(
    "Remove a profile and its credentials",
    () => import("./profile/remove.ts"),
  ),
  doctor: entry(
    "Check this machine: Node, files, clock, network, credentials",
    () => import("./doctor.ts"),
  ),
  completion: entry("Print the completion script of a shell", () => import("./completion.ts")),
  "complete-line": entry(
    "List what may stand next on a line",
    () => import("./complete-line.ts"),
    "hidden",
  ),
  commands: entry("List every command with flags and needs", () => import("./commands.ts")),
  "sandbox start": entry("Serve the sandbox over HTTP", () => import("./sandbox/start.ts")),
  "sandbox env": entry(
    "Print the variables that point a client at the sandbox",
    () => import("./sandbox/env.ts"),
  ),
  "sandbox status": entry(
    "Show what the sandbox holds and how it is set",
    () => import("./sandbox/status.ts"),
  ),
  "sandbox reset": entry(
    "Put the sandbox back to its first state",
    () => import("./sandbox/reset.ts"),
  ),
  "sandbox set": entry(
    "Change balance, quota, senders and behaviour of the sandbox",
    () => import("./sandbox/set.ts"),
  ),
  "sandbox clock show": entry(
    "Show the sandbox's two times",
    () => import("./sandbox/clock/show.ts"),
  ),
  "sandbox clock set": entry(
    "Set the sandbox's business time",
    () => import("./sandbox/clock/set.ts"),
  ),
  "sandbox clock advance": entry(
    "Move the sandbox's business time forward, or back",
    () => import("./sandbox/clock/advance.ts"),
  ),
  "sandbox clock skew": entry(
    "Shift the time that signatures are checked against",
    () => import("./sandbox/clock/skew.ts"),
  ),
  "sandbox inbox list": entry(
    "List what the phones received",
    () => import("./sandbox/inbox/list.ts"),
  ),
  "sandbox inbox show": entry(
    "Show one message as its phone received it",
    () => import("./sandbox/inbox/show.ts"),
  ),
  "sandbox inbox wait": entry(
    "Wait until a phone received a message",
    () => import("./sandbox/inbox/wait.ts"),
  ),
  "sandbox fault add": entry(
    "Make requests fail from now on",
    () => import("./sandbox/fault/add.ts"),
  ),
  "sandbox fault list": entry(
    "List the faults that are switched on",
    () => import("./sandbox/fault/list.ts"),
  ),
  "sandbox fault clear": entry("Switch faults off", () => import("./sandbox/fault/clear.ts")),
  "sandbox requests": entry(
    "List the requests that the sandbox saw and why it refused them",
    () => import("./sandbox/requests.ts"),
  ),
  "sandbox quota-review": entry(
    "Decide on a request for a higher quota",
    () => import("./sandbox/quota-review.ts"),
  ),
  "sandbox codes": entry(
    "List the codes that members were sent",
    () => import("./sandbox/codes.ts"),
  ),
  "sandbox review": entry(
    "Approve or reject a template as the service's staff",
    () => import("./sandbox/review.ts"),
  ),
  "sandbox accounts": entry(
    "List the accounts, keys and senders of the sandbox",
    () => import("./sandbox/accounts.ts"),
  ),
  "sandbox withdraw-review": entry(
    "Approve or reject a withdrawal",
    () => import("./sandbox/withdraw-review.ts"),
  ),
  "sandbox assumptions": entry(
    "List the choices that no source shows",
    () => import("./sandbox/assumptions.ts"),
  ),
};

/** What words stand for that are no command by themselves, for the help of those below them. */
export const groups: Readonly<Record<string, string>> = {
  run: "Follow and settle what send-many does",
  message: "Read messages",
  group: "Fill groups of messages, and send them as a whole",
  template: "Kakao templates and their review",
  channel: "Kakao channels",
  text: "Look at texts without sending them",
  payment: "Manage cards, automatic recharge, the bank account and withdrawals",
  "payment withdraw": "Withdraw balance to the bank account",
  files: "Keep pictures and documents",
  app: "See what apps earn and set them live",
  auth: "Log in and out",
  profile: "Keep settings per account",
  sandbox: "The service, emulated on this machine",
  "sandbox clock": "Read and move the time of the sandbox",
  "sandbox inbox": "See what the phones received",
  "sandbox fault": "Break requests on purpose, to see what a client makes of it",
};
