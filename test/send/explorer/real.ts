/** The sending protocol of src, with the rules by which it judges answers and clocks. */

import { outcomeOf } from "../../../src/client/outcome.ts";
import { backdatedMs, createServiceClock, toSeconds } from "../../../src/client/service-clock.ts";
import type { Action, Outcome } from "../../../src/send/protocol/actions.ts";
import { conclude, decide } from "../../../src/send/protocol/machine.ts";
import { isAddedTo } from "../../../src/send/run/answer-matches.ts";
import { startClock } from "../../../src/send/run/clocks.ts";
import type { RunFile } from "../../../src/send/store/run-file.ts";
import type { Machine, StrangeAnswer, Times } from "./machine.ts";

const minuteMs = 60_000;

const run: RunFile = {
  ...{ version: 2, run: "R", path: "G", call: "send-many", tagged: true },
  ...{ started: "", profile: "", account: null, key: null, baseUrl: null, source: "", digest: "" },
  ...{
    width: 1,
    concurrency: 1,
    strict: false,
    allowDuplicates: false,
    price: null,
    maxCost: null,
  },
  ...{ total: 0, skipped: 0, messages: 0, chunks: [] },
};

/** An answer as a success of the action, whoever gave it. */
export const asSuccess = (action: Action, groupId: string): Outcome => {
  const counts = { accepted: 1, refused: 0 };
  if (action.type === "delete") return { type: "group", status: "deleted", counts, cost: 0 };
  return { type: "ok", id: groupId, counts, cost: 0, failed: false };
};

const hear = (action: Action, answer: StrangeAnswer): Outcome => {
  if (answer.type === "other") {
    const id = "id" in action ? action.id : "";
    return isAddedTo(answer, id, run) ? asSuccess(action, answer.groupId) : { type: "unknown" };
  }
  const { status } = answer;
  const effect = action.type === "add" || action.type === "post" ? "unsafe" : "settling";
  return outcomeOf(effect, { status, isUsable: false }) === "refused"
    ? { type: "refused", status, code: `HTTP_${status}` }
    : { type: "unknown", isForeign: true };
};

type Clocks = ReturnType<Machine["clocks"]>;

/** They depend on the two times alone. */
const known = new Map<string, Clocks>();

const clocks = (times: Times): Clocks => {
  const key = `${times.minute} ${times.dateMinute}`;
  const made = known.get(key) ?? clocksAt(times);
  known.set(key, made);
  return made;
};

const clocksAt = ({ minute, dateMinute }: Times): Clocks => {
  const now = (): Date => new Date(minute * minuteMs);
  const ticks = (): number => minute * minuteMs;
  const service = createServiceClock({ now, ticks });
  const headers = { date: new Date(dateMinute * minuteMs).toUTCString() };
  const signed = toSeconds(new Date(minute * minuteMs - backdatedMs));
  service.note({ status: 200, headers, body: new Uint8Array() }, signed);
  const fresh = () => ({ date: service.signingDate(), salt: "" });
  const { canReplay: fenceOpen, expired } = startClock({
    ...{ now, ticks, service, fresh, key: "0001", reconcileMs: minuteMs },
  });
  return { canReplay: fenceOpen, expired, signingDate: service.signingDate };
};

export const real: Machine = { decide, conclude, hear, clocks, isFenced: true };
