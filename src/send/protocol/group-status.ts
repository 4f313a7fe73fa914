/** What the status of a group means: for its rows, for its schedule, and for a cancellation. */
import type { Group, State } from "./state.ts";

export const isFinished = ({ status }: Group): boolean =>
  status === "sent" || status === "failed" || status === "abandoned" || status === "cancelled";

/** It may still go out at its hour. */
export const isWaiting = ({ shape }: State, { status, schedule }: Group): boolean =>
  shape.scheduled && status === "sent" && schedule !== "out";

/** Some of its rows may still go out at their hour, in whatever group. */
export const isAnyWaiting = (state: State): boolean =>
  state.taken.some(({ scheduled }) => scheduled) || state.groups.some((it) => isWaiting(state, it));

/** It waited for its hour, and someone else took it off its schedule: it is sent only when that is asked for again. */
export const isUnscheduled = (state: State, group: Group): boolean =>
  isWaiting(state, group) && group.schedule === "off";

/** What became of the rows of a group. One that is off its schedule was not sent after all. */
export const statusOfRows = (state: State, group: Group) => {
  if (isUnscheduled(state, group)) return "not-sent";
  if (group.status === "sent" || group.status === "failed") return group.status;
  return group.status === "sending" || group.status === "touched" ? "unknown" : "not-sent";
};

/** It was not sent for certain, or waits for its hour. */
export const canBeCancelled = (state: State, group: Group): boolean =>
  !isFinished(group) || isWaiting(state, group);

/** It has to be taken off its schedule before it can be deleted. */
export const isOnSchedule = ({ shape }: State, group: Group): boolean =>
  shape.scheduled &&
  (group.status === "sent" || group.status === "sending") &&
  group.schedule === "on";
