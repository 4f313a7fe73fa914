/**
 * The checks that the service makes when a message is registered, in its order. The commands use
 * them before sending; the sandbox adds what only the service knows.
 */

import { type MessageInput, maxMonthsAhead } from "../contract/message-records.ts";
import { hourInSeoul, monthsAfter } from "../contract/time.ts";
import type { Problem } from "../errors.ts";
import { shownTime, t } from "../locale/locale.ts";
import { textProblem } from "./characters.ts";
import {
  bodyProblem,
  buttonProblem,
  type Candidate,
  type Check,
  candidate,
  channelProblem,
  fieldsProblem,
  imageProblem,
  kakaoProblem,
  missing,
  numbersProblem,
  routeProblem,
  subjectProblem,
} from "./check-members.ts";
import { isMessageType } from "./type.ts";

/** Checks that need the service's own records, by their place in the order. */
export interface ServerChecks {
  /** 10: 1023, 1034, 1051. */
  readonly image?: Check;
  /** 11, before the buttons: 1041, 1042, 1043. */
  readonly template?: Check;
  /** 11, after the rules of buttons: 1046, 1047, 1052. */
  readonly templateButtons?: Check;
  /** 12: 1062. */
  readonly sender?: Check;
  /** 13: 1058. */
  readonly route?: Check;
  /** 14: 1060, 1061, 1064, and forced outcomes. */
  readonly recipient?: Check;
  /** 15: 1026. */
  readonly duplicate?: Check;
}

interface CheckOptions {
  /** Refuse characters outside KS X 1001 (1029). */
  readonly strict?: boolean | undefined;
  readonly server?: ServerChecks | undefined;
}

export const typeProblem: Check = ({ type }) =>
  isMessageType(type)
    ? undefined
    : { code: "1025", text: t`"${type}" is not a message type`, field: "type" };

/** The checks in the order of the service. Build once for many messages. */
export const registrationChecks = (options: CheckOptions): readonly Check[] => {
  const { server = {}, strict = false } = options;
  const all = [
    missing,
    numbersProblem,
    typeProblem,
    ({ message }: Candidate) =>
      textProblem("text", message.text, strict) ?? textProblem("subject", message.subject, strict),
    subjectProblem,
    bodyProblem,
    fieldsProblem,
    kakaoProblem,
    imageProblem,
    server.image,
    channelProblem,
    server.template,
    buttonProblem,
    server.templateButtons,
    server.sender,
    routeProblem,
    server.route,
    server.recipient,
    server.duplicate,
  ];
  return all.filter((check) => check !== undefined);
};

/** The first problem: the one that the service answers with. */
export const firstProblem = (
  message: MessageInput,
  checks: readonly Check[],
): Problem | undefined => {
  const subject = candidate(message);
  for (const check of checks) {
    const problem = check(subject);
    if (problem) return problem;
  }
  return undefined;
};

/** Every problem of a message, one for each check, in order; empty if the message may be sent. */
export const allProblems = (message: MessageInput, checks: readonly Check[]): Problem[] => {
  const subject = candidate(message);
  return checks.flatMap((check) => check(subject) ?? []);
};

/** What is wrong with a scheduled time, by the service's time. */
export const scheduleProblem = (at: string, now: Date): Problem | undefined => {
  const instant = Date.parse(at);
  // That of a sandbox may be far from this machine's, from which +10m counts.
  const here = shownTime(now.toISOString());
  if (instant <= now.getTime())
    return {
      code: "SchedulePast",
      text: t`${shownTime(at)} is in the past; the service's clock shows ${here}`,
    };
  if (instant <= monthsAfter(now.getTime(), maxMonthsAhead)) return undefined;
  return {
    code: "ScheduleTooFar",
    text: t`${shownTime(at)} is more than ${maxMonthsAhead} months ahead; the service's clock shows ${here}`,
  };
};

/** An advertising text begins with this word, in these brackets. */
const mark = "(광고)";
/** A toll-free number for refusing further messages. */
const freeNumber = /080[-\s]?\d{3,4}[-\s]?\d{4}/;

/** From 21:00 to 08:00 in Korea advertising needs a separate consent. */
const quiet = { from: 21, until: 8 } as const;

const markProblem = (text: string): Problem | undefined =>
  text.startsWith(mark)
    ? undefined
    : { code: "AdMark", field: "text", text: t`an advertising text must begin with ${mark}` };

const optOutProblem = (text: string): Problem | undefined =>
  freeNumber.test(text)
    ? undefined
    : {
        code: "AdOptOut",
        field: "text",
        text: t`an advertising text must name a free 080 number for opting out`,
      };

export const advertisingProblems = (text: string): Problem[] =>
  [markProblem(text), optOutProblem(text)].filter((it) => it !== undefined);

/** The same as checks of a message; the text that a template supplies is not known here. */
export const advertisingChecks: readonly Check[] = [markProblem, optOutProblem].map(
  (problem): Check =>
    ({ message }) =>
      message.text === undefined && message.kakaoOptions?.templateId
        ? undefined
        : problem(message.text ?? ""),
);

/** Why nothing may be advertised at this instant. */
export const quietProblem = (instant: Date): Problem | undefined => {
  const hour = hourInSeoul(instant);
  if (hour < quiet.from && hour >= quiet.until) return undefined;
  return { code: "AdQuietHours", text: t`no advertising from 21:00 to 08:00 in Korea` };
};
