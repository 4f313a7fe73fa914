/** Nodes of several machines as short texts: two of one key have the same future. */
import type { Outcome } from "../../../../src/send/protocol/actions.ts";
import { stateKey } from "../keys.ts";
import type { Machine, Node } from "./machines.ts";
import type { Asked, SharedService } from "./service.ts";

export const keyOf = (node: Node): string =>
  [
    ...node.machines.map((it) => machineKey(it)),
    groupsKey(node.service),
    node.seen.map(groupsKey).sort().join(";"),
    node.service.hour,
    node.late.map(askedKey).sort().join(),
    `${node.faults}${node.kills}${node.cuts}${node.losses}${node.ages}${node.offs}`,
  ].join("|");

const groupsKey = ({ groups }: SharedService): string =>
  groups
    .map(
      (it) =>
        `${it.run}${it.by}${it.of}${it.hasFields ? "m" : ""}${it.status.slice(0, 2)}${it.held.join("")}@${it.created}/${it.out ?? ""}${it.rows.map(({ from, to }) => `${from}-${to}`).join()}`,
    )
    .join();

const machineKey = ({ run, of, marks, live, durable, asked, answer, ending }: Machine): string =>
  [
    `${run}${of}${marks ? "m" : ""}`,
    live.groups.map((it) => it.signed).join(),
    stateKey(live),
    stateKey(durable),
    asked ? askedKey(asked) : "",
    answer ? answerKey(answer) : "",
    ending?.type ?? "",
  ].join("/");

/** All that decides whether a machine that is left alone ends, and whether its rows go out. */
export const aloneKey = (service: SharedService, machine: Machine): string => {
  const { run, by, of, marks, durable, ending } = machine;
  const isDone = ending?.type === "done";
  const state = [durable.groups.map((it) => it.signed).join(), stateKey(durable), isDone];
  return [groupsKey(service), service.hour, run, by, of, marks, ...state].join("|");
};

const askedKey = ({ action, run, of, marks, rows }: Asked): string => {
  const where = "id" in action ? action.id : "";
  const chunk = "chunk" in action ? action.chunk : "";
  return `${run}${of}${marks ? "m" : ""}${action.type}${where}.${chunk}.${rows.join("")}`;
};

const answers = new WeakMap<Outcome, string>();

const answerKey = (answer: Outcome): string => {
  const known = answers.get(answer) ?? textOf(answer);
  answers.set(answer, known);
  return known;
};

const textOf = (answer: Outcome): string => {
  if (answer.type === "list")
    return answer.groups
      .map((it) => `${it.id}${it.status.slice(0, 2)}${it.isActive ? "m" : ""}`)
      .join();
  if ("ids" in answer) return `${answer.type}${answer.ids.join()}`;
  const more = "status" in answer ? answer.status : "id" in answer ? answer.id : "";
  return `${answer.type}${more}${"failed" in answer && answer.failed ? "f" : ""}`;
};
