/** What the law of Korea asks of an advertising text (Act on Promotion of Information and Communications Network Utilization, article 50; as of 2026-01). */

import { hourInSeoul } from "../contract/time.ts";
import type { Problem } from "../errors.ts";
import { t } from "../locale/locale.ts";
import type { Check } from "./check-members.ts";

/** It begins with this word, in these brackets. */
const mark = "(광고)";
/** A number that is free to call, to refuse further messages. */
const freeNumber = /080[-\s]?\d{3,4}[-\s]?\d{4}/;

/** From 21:00 to 08:00 in Korea nothing is advertised without a consent of its own. */
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

/** What an advertising text lacks. */
export const advertisingProblems = (text: string): Problem[] =>
  [markProblem(text), optOutProblem(text)].filter((it) => it !== undefined);

/** The same as checks of a message; the text of a template without one of its own is not known here. */
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
  return {
    code: "AdQuietHours",
    text: t`no advertising from 21:00 to 08:00 in Korea`,
  };
};
