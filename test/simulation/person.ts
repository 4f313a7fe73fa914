/** A person who works on groups of the account by hand, past the runs; and who knows what the books say. */
import * as v from "valibot";
import { newSalt, signedHeader } from "../../src/client/layers/authorization.ts";
import { toSeconds } from "../../src/client/service-clock.ts";
import type { Wire } from "../../src/contract/wire.ts";
import { type Dice, diceFor } from "./dice.ts";
import { type Ended, environment } from "./machine.ts";
import type { Stage } from "./operator.ts";
import type { ActPlan } from "./scenario.ts";
import type { Act } from "./ways.ts";

export const byHand = async (stage: Stage): Promise<void> => {
  const { scenario, world } = stage;
  const dice = diceFor(scenario.seed, "by hand");
  for (const { act, afterMs } of scenario.acts) {
    await world.schedule.sleep(afterMs);
    await doByHand(stage, act, dice);
  }
};

const doByHand = async (stage: Stage, act: ActPlan["act"], dice: Dice): Promise<void> => {
  const found = await call(stage, dice, "GET", "/messages/v4/groups?limit=500");
  const { groupList } = v.parse(listed, found);
  const [first, ...rest] = Object.values(groupList).filter((it) => statuses[act] === it.status);
  if (!first) return;
  const { groupId, dateCreated } = dice.pick([first, ...rest]);
  const path = `/messages/v4/groups/${groupId}`;
  stage.byHand.count += 1;
  stage.world.note(`by hand: ${act} ${groupId}`);
  const [method, end, body] = await requestOf(stage, act, path, dice);
  if ((act === "send" || act === "schedule") && stage.sent().every((it) => it > 0))
    stage.byHand.resent.add(Date.parse(dateCreated));
  await call(stage, dice, method, `${path}${end}`, body);
};

type Request = readonly [method: Wire["method"], end: string, body?: object];

const requestOf = async (stage: Stage, act: Act, path: string, dice: Dice): Promise<Request> => {
  switch (act) {
    case "send":
      return ["POST", "/send", {}];
    case "resend":
      // So long it is on its way.
      await stage.world.schedule.sleep(dice.span(10, 10_000));
      return ["POST", "/resend", {}];
    case "add":
      return ["PUT", "/messages", another];
    case "take":
      return ["DELETE", "/messages", await oneMessage(stage, path, dice)];
    case "delete":
      return ["DELETE", ""];
    case "schedule":
      return ["POST", "/schedule", anyHour(stage, dice)];
    case "reschedule":
      return ["PUT", "/schedule", anyHour(stage, dice)];
    case "unschedule":
      return ["DELETE", "/schedule"];
  }
};

const another = { messages: [{ to: "01099999999", from: "0200000000", text: "by hand" }] };

const held = v.object({ messageList: v.record(v.string(), v.unknown()) });

const oneMessage = async (stage: Stage, path: string, dice: Dice): Promise<object> => {
  const found = await call(stage, dice, "GET", `${path}/messages?limit=1`);
  return { messageIds: Object.keys(v.parse(held, found).messageList) };
};

const minuteMs = 60_000;

const anyHour = ({ world }: Stage, dice: Dice): object => {
  const ms = world.beganMs + world.schedule.now() + dice.span(11 * minuteMs, 180 * minuteMs);
  return { scheduledDate: new Date(ms).toISOString() };
};

const listed = v.object({
  groupList: v.record(
    v.string(),
    v.object({ groupId: v.string(), status: v.string(), dateCreated: v.string() }),
  ),
});

/** Which groups something can be done to. */
const statuses: Readonly<Record<Act, string>> = {
  ...{ send: "PENDING", add: "PENDING", take: "PENDING", delete: "PENDING", schedule: "PENDING" },
  ...{ resend: "FAILED", reschedule: "SCHEDULED", unschedule: "SCHEDULED" },
};

const call = async (
  { world, service }: Stage,
  dice: Dice,
  method: Wire["method"],
  target: string,
  body?: object,
): Promise<unknown> => {
  const { MSG_API_KEY: apiKey, MSG_API_SECRET: apiSecret } = environment;
  const date = toSeconds(new Date(world.beganMs + world.schedule.now()));
  const authorization = signedHeader({ apiKey, apiSecret }, date, newSalt(dice.bytes));
  const headers = { authorization, "content-type": "application/json" };
  const bytes = body && Buffer.from(JSON.stringify(body));
  const answer = await service.perform({ method, target, headers, ...(bytes && { body: bytes }) });
  world.note(`by hand: ${method} ${answer.status}`);
  return JSON.parse(Buffer.from(answer.body).toString());
};

/** Nothing is harmed any more. */
export const isOver = ({ world, scenario }: Stage): boolean =>
  world.schedule.now() > scenario.harmEndsMs;

/**
 * A run that is of a time to come was signed by a clock that was wrong, and that was set right since; so was one
 * behind whose beginning the clock was set ahead. Until that time this machine does not know how old its calls are.
 * A person can, who sees the service's books.
 */
export const wordOfPerson = (
  { world, sent, scenario }: Stage,
  machine: string,
  { err }: Ended,
): readonly string[] | undefined => {
  const now = new Date(world.beganMs + world.schedule.now()).toISOString();
  const [, run = "", told = ""] =
    /run reconcile (\S+) --accepted \d+, or --not-sent \d+ after (\S+Z)/.exec(err) ?? [];
  const [, part = "", row] = /"field":"part (\d+)","row":(\d+)/.exec(err) ?? [];
  const isOfTimeToCome = run.replace("-", "") > now.replace(/\D/g, "");
  const wasSetAhead = scenario.clockOf(machine).steps.some(({ byMs }) => byMs > 0);
  if (row === undefined || !(isOfTimeToCome || wasSetAhead) || now < told) return undefined;
  const isSent = (sent()[Number(row) - 1] ?? 0) > 0;
  return ["run", "reconcile", run, isSent ? "--accepted" : "--not-sent", part, "--json"];
};
