/**
 * The checks that the service makes when a message is registered, in its order. The commands use
 * them at the door; the sandbox adds what only the service knows.
 */

import type { MessageInput } from "../contract/message-records.ts";
import type { Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";
import { textProblem } from "./characters.ts";
import { buttonProblem } from "./check-buttons.ts";
import {
  bodyProblem,
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

export interface CheckOptions {
  /** Refuse characters outside KS X 1001 (1029). */
  readonly strict?: boolean | undefined;
  readonly server?: ServerChecks | undefined;
}

const nothing: Check = () => undefined;

const typeProblem: Check = ({ type }) =>
  isMessageType(type)
    ? undefined
    : { code: "1025", text: t`"${type}" is not a message type`, field: "type" };

/** The checks in the order of the service. Build once for many messages. */
export const registrationChecks = (options: CheckOptions = {}): readonly Check[] => {
  const server = options.server ?? {};
  const strict = options.strict ?? false;
  const all: Check[] = [
    missing,
    numbersProblem,
    typeProblem,
    ({ message }) =>
      textProblem("text", message.text, strict) ?? textProblem("subject", message.subject, strict),
    subjectProblem,
    bodyProblem,
    fieldsProblem,
    kakaoProblem,
    imageProblem,
    server.image ?? nothing,
    channelProblem,
    server.template ?? nothing,
    buttonProblem,
    server.templateButtons ?? nothing,
    server.sender ?? nothing,
    routeProblem,
    server.route ?? nothing,
    server.recipient ?? nothing,
    server.duplicate ?? nothing,
  ];
  return all.filter((check) => check !== nothing);
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

/** Every problem of a message, one a check, in order; empty when the message may be sent. */
export const allProblems = (message: MessageInput, checks: readonly Check[]): Problem[] => {
  const subject = candidate(message);
  return checks.flatMap((check) => check(subject) ?? []);
};

/** The same for one message, with the checks built on the spot. */
export const checkMessage = (message: MessageInput, options: CheckOptions = {}): Problem[] =>
  allProblems(message, registrationChecks(options));
