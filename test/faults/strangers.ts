/** Something on the line that answers in the service's place: a firewall, a gateway, a page to sign in on. */
import type { Harm, LineOptions, Passing, Refused } from "./line.ts";

export type Suffering = NonNullable<LineOptions["harm"]>;

const json = { "content-type": "application/json" };

/** What a stranger's answer consists of beside its status. */
const contents: readonly (readonly [string, Pick<Refused, "headers" | "body">])[] = [
  ["text/html", { headers: { "content-type": "text/html" }, body: "<html>blocked</html>" }],
  ["no body", { headers: {}, body: "" }],
  ["JSON without a code", { headers: json, body: '{"message":"blocked"}' }],
  [
    "JSON with a code that the service does not know",
    { headers: json, body: '{"errorCode":"BlockedByPolicy","errorMessage":"rule 7"}' },
  ],
];

const statuses = [302, 303, 400, 401, 403, 404, 406, 407, 413, 421, 425, 429, 451] as const;

export interface Stranger {
  readonly name: string;
  readonly answer: Refused;
}

/** In the service's own words, from something that only repeats them. */
export const ownWords = (status: number, errorCode: string, more: object = {}): Stranger => ({
  name: `${status} ${errorCode}`,
  answer: {
    performed: true,
    status,
    headers: { ...json, ...more },
    body: JSON.stringify({ errorCode, errorMessage: "from something else" }),
  },
});

/** The clock of a stranger is wrong, and it says that ours is. */
const skewed = ownWords(403, "RequestTimeTooSkewed");
/** The request was performed, and a gateway that repeats it gives up. */
const limited = ownWords(429, "TooManyRequests", { "retry-after": "1" });

/**
 * One for each status; which of the contents goes with it depends on `turn`, so that four turns meet all
 * of them. The request is performed before each of them answers.
 */
export const strangers = (turn: number): readonly Stranger[] => [
  ...statuses.map((status, at) => {
    const [name, content] = contents[(turn + at) % contents.length] ?? ["", noContent];
    const location = status < 400 ? { location: "https://login.example.com/" } : {};
    const headers = { ...content.headers, ...location };
    return {
      name: `${status}, ${name}`,
      answer: { performed: true, status, headers, body: content.body },
    };
  }),
  skewed,
  limited,
];

const noContent = { headers: {}, body: "" };

/** The requests that change something, by what they do. */
const kinds = {
  /** One call that sends. */
  call: /^POST \/messages\/v4\/send(-many(\/detail)?)?$/,
  create: /^POST \/messages\/v4\/groups$/,
  add: /^PUT .*\/messages$/,
  send: /^POST .*\/groups\/\w+\/send$/,
  schedule: /^POST .*\/schedule$/,
  unschedule: /^DELETE .*\/schedule$/,
  delete: /^DELETE .*\/groups\/\w+$/,
  /** One that moves money. */
  pay: /^POST \/cash\/v1\/(balance|transfer|withdraw)$/,
  movements: /^GET \/cash\/v1\/(balance\/history|withdraw)/,
  read: /^GET \/(messages|cash)\//,
  list: /^GET \/messages\/v4\/list/,
  readGroup: /^GET .*\/groups\/\w+$/,
} as const;

export type Kind = keyof typeof kinds;

export const isOf = (kind: Kind, { method, path }: Passing): boolean =>
  kinds[kind].test(`${method} ${path}`);

/** Harms requests of one kind: those that are meant, counted from 0. */
export const onKind = (
  kind: Kind,
  harm: Harm,
  isMeant: (at: number) => boolean = () => true,
): Suffering => {
  const seen = { count: 0 };
  return (passing) => {
    if (!isOf(kind, passing)) return undefined;
    seen.count += 1;
    return isMeant(seen.count - 1) ? harm : undefined;
  };
};

/** Remembers the first answer to requests of one kind, and gives it in answer to so many later ones. */
export const answeringForAnother = (kind: Kind, performed: boolean, times: number) => {
  const seen: { answer?: Refused; left: number } = { left: times };
  const heard: NonNullable<LineOptions["heard"]> = (passing, { status, body }) => {
    if (isOf(kind, passing)) seen.answer ??= { performed, status, headers: json, body };
  };
  const harm: Suffering = (passing) => {
    if (!isOf(kind, passing) || seen.answer === undefined || seen.left === 0) return undefined;
    seen.left -= 1;
    return seen.answer;
  };
  const arm = (count: number): void => {
    seen.left = count;
  };
  return { heard, harm, arm };
};

/** A record as an answer of its own. */
export const recordOf = (body: string): Refused => ({ status: 200, headers: json, body });

/**
 * Holds the first request of a kind back: the client hears of a broken line, and it comes when released. With
 * `isCopy` it passes, and a copy is held back.
 */
export const holdingBack = (kind: Kind, isCopy = false) => {
  const held = { release: (): void => undefined };
  const until = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  const arrived: Promise<void>[] = [];
  const holds = onKind(kind, "late", (at) => at === 0);
  const harm: Suffering = (passing) => {
    if (holds(passing) === undefined) return undefined;
    const copy: { done: () => void } = { done: () => undefined };
    arrived.push(
      new Promise((resolve) => {
        copy.done = resolve;
      }),
    );
    return { until, isCopy, done: () => copy.done() };
  };
  /** Waits until all that were held back have arrived. */
  const release = async (): Promise<void> => {
    held.release();
    await Promise.all(arrived);
  };
  return { harm, release };
};
