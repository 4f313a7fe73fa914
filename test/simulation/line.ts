/** The line between a machine and the service: it loses, delays and doubles, and others answer on it. */
import { type Answer, type Send, TransportError, type Wire } from "../../src/contract/wire.ts";
import type { Passing } from "../faults/line.ts";
import { type Kind, strangers } from "../faults/strangers.ts";
import type { Dice } from "./dice.ts";
import { type Harm, kindOf } from "./harms.ts";
import type { Gate, World } from "./machine.ts";

export interface Line {
  readonly name: string;
  readonly harmFor: (passing: Passing, nth: number) => Harm | undefined;
  readonly delayFor: (number: number) => Dice;
  /** Told of a request when it is made: a process that stands still with one in hand learns no hour. */
  readonly onAsked: (passing: Passing) => void;
  /** What is added to the date of the answers now. */
  readonly falseDateMs: () => number;
  /** Answers of before, by kind; machines behind one gateway share them. */
  readonly heard: Map<Kind, Answer[]>;
  /** How many requests of a kind there were. */
  readonly counts: Map<Kind | undefined, number>;
  count: number;
}

export interface Service {
  readonly perform: (wire: Wire) => Promise<Answer>;
}

const patienceMs = { GET: 30_000, POST: 120_000, PUT: 120_000, DELETE: 120_000 } as const;

/** One exchange over the line, as a process sees it. */
export const sendOver =
  (world: World, service: Service, line: Line, gate: Gate): Send =>
  (wire, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted)
        return reject(new TransportError("unconnected", "Interrupted", "stopped"));
      const stop = (): void =>
        reject(new TransportError("sent", "Interrupted", "stopped before an answer came"));
      signal.addEventListener("abort", stop, { once: true });
      const passing = passingOf(wire, line);
      line.onAsked(passing);
      if (!gate.reach("request", `request ${passing.method} ${passing.path}`, passing)) return;
      // A process that stands still sends it when it goes on.
      gate.enter(() => {
        const harm = line.harmFor(passing, nthOf(line, passing));
        world.note(`${line.name} ${passing.number} ${wire.method} ${wire.target}${shown(harm)}`);
        const end = (action: () => void): void =>
          gate.enter(() => {
            if (gate.reach("answer", `answer ${passing.method} ${passing.path}`, passing))
              gate.enter(action);
          });
        const broken = (code: string) => (): void =>
          end(() => reject(new TransportError("sent", code, "the connection broke")));
        pass(
          world,
          service,
          line,
          { wire, passing, harm },
          {
            answer: (answer) => end(() => resolve(answer)),
            broken: broken("ECONNRESET"),
            silent: broken("ETIMEDOUT"),
            unconnected: () =>
              end(() =>
                reject(new TransportError("unconnected", "ECONNREFUSED", "no one answers")),
              ),
          },
        );
      });
    });

const passingOf = (wire: Wire, line: Line): Passing => {
  line.count += 1;
  return { number: line.count, method: wire.method, path: wire.target.split("?")[0] ?? "" };
};

/** From 1: which request of its kind it is. */
const nthOf = ({ counts }: Line, passing: Passing): number => {
  const kind = kindOf(passing);
  const nth = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, nth);
  return nth;
};

const shown = (harm: Harm | undefined): string => (harm ? ` ${JSON.stringify(harm)}` : "");

interface Request {
  readonly wire: Wire;
  readonly passing: Passing;
  readonly harm: Harm | undefined;
}

interface Client {
  readonly answer: (answer: Answer) => void;
  readonly broken: () => void;
  readonly silent: () => void;
  readonly unconnected: () => void;
}

/** When copies of a request arrive, who hears the answer, and what the client hears instead of it. */
interface Course {
  readonly copies: readonly { readonly afterMs: number; readonly hears?: Client["answer"] }[];
  readonly instead?: { readonly afterMs: number; readonly heard: () => void };
}

const pass = (world: World, service: Service, line: Line, it: Request, client: Client): void => {
  const { schedule, note } = world;
  const { wire, passing } = it;
  const dice = line.delayFor(passing.number);
  const ways = [dice.span(1, 400), dice.span(1, 400)] as const;
  const [, backMs] = ways;
  const { copies, instead } = courseOf(world, line, it, client, ways);
  for (const { afterMs, hears } of copies)
    schedule.after(afterMs, async () => {
      const answer = await service.perform(wire);
      note(`service ${line.name} ${passing.number} ${answer.status} ${codeIn(answer)}`);
      const dated = withDate(answer, line.falseDateMs());
      remember(line, passing, dated);
      if (hears) schedule.after(backMs, () => hears(dated));
    });
  if (instead) schedule.after(instead.afterMs, instead.heard);
};

const courseOf = (
  world: World,
  line: Line,
  { wire, passing, harm }: Request,
  client: Client,
  [thereMs, backMs]: readonly [number, number],
): Course => {
  const copy = { afterMs: thereMs };
  const heard = { ...copy, hears: client.answer };
  const bothMs = thereMs + backMs;
  switch (harm?.is) {
    case undefined:
      return { copies: [heard] };
    case "unconnected":
      return { copies: [], instead: { afterMs: thereMs, heard: client.unconnected } };
    case "lost":
      return {
        copies: harm.arrives ? [copy] : [],
        instead: harm.isSilent
          ? { afterMs: patienceMs[wire.method], heard: client.silent }
          : { afterMs: bothMs, heard: client.broken },
      };
    case "late":
      return { copies: [harm], instead: { afterMs: thereMs, heard: client.broken } };
    case "doubled":
      return {
        copies:
          harm.hears === "first"
            ? [heard, { afterMs: thereMs + harm.afterMs }]
            : [copy, { ...heard, afterMs: thereMs + 50 }],
      };
    case "cut":
      return { copies: [{ ...copy, hears: (answer) => client.answer(cut(answer)) }] };
    case "stranger":
    case "other": {
      const answer =
        harm.is === "other"
          ? earlier(line, passing, line.delayFor(passing.number))
          : withDate(strange(world, harm.turn), line.falseDateMs());
      if (!answer) return { copies: [heard] };
      const instead = { afterMs: bothMs, heard: () => client.answer(answer) };
      return { copies: harm.arrives ? [copy] : [], instead };
    }
  }
};

const cut = (answer: Answer): Answer => ({
  ...answer,
  body: answer.body.subarray(0, answer.body.length >> 1),
});

const codeIn = ({ status, body }: Answer): string =>
  status < 400 ? "" : Buffer.from(body).toString().slice(0, 90);

const withDate = (answer: Answer, falseMs: number): Answer => {
  const date = answer.headers.date;
  if (falseMs === 0 || date === undefined) return answer;
  const headers = { ...answer.headers, date: new Date(Date.parse(date) + falseMs).toUTCString() };
  return { ...answer, headers };
};

const strange = ({ beganMs, schedule }: World, turn: number): Answer => {
  const all = strangers(turn);
  const { answer } = all[turn % all.length] ?? { answer: { status: 502, headers: {}, body: "" } };
  const date = new Date(beganMs + schedule.now()).toUTCString();
  return {
    status: answer.status,
    headers: { date, ...answer.headers },
    body: Buffer.from(answer.body),
  };
};

const remember = (line: Line, passing: Passing, answer: Answer): void => {
  const kind = kindOf(passing);
  if (kind) line.heard.set(kind, [...(line.heard.get(kind) ?? []), answer]);
};

const earlier = (line: Line, passing: Passing, dice: Dice): Answer | undefined => {
  const kind = kindOf(passing);
  const all = (kind && line.heard.get(kind)) ?? [];
  // That a stranger's error may answer a single call is the one world that is left out.
  const [first, ...rest] = kind === "call" ? all.filter((it) => it.status < 300) : all;
  return first && dice.pick([first, ...rest]);
};
