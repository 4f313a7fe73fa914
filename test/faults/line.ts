/** A line between `msg` and a sandbox that can do harm: drop, cut, delay, double, fail, and call out. */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Passing {
  /** From 1, over all requests of the line. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
}

/** What the line does to a request. */
export type Harm =
  /** Performed, and the answer is lost. */
  | "dropAfter"
  /** Lost before it is performed. */
  | "dropBefore"
  /** The answer is cut in its middle. */
  | "cut"
  /** Performed, and a 500 is answered. */
  | "failAfter"
  /** 503 of a proxy, HTML, nothing performed. */
  | "failBefore"
  /** Performed twice: the second copy goes first to nobody. */
  | "double"
  /** The answer counts one row more than there are. */
  | "miscount"
  /** The client hears of a broken line; the request is performed a while later. */
  | "late"
  | Delayed
  | Refused
  /** Performed, and the answer says something else. */
  | Rewritten;

/** The same, performed when this has come. */
export interface Delayed {
  readonly until: Promise<unknown>;
  /** The request passes at once, and a copy of it is performed then. */
  readonly isCopy?: boolean;
  /** Called when it was performed. */
  readonly done?: () => void;
}

export interface Rewritten {
  readonly rewrite: (body: string) => string;
}

/** The line answers in the service's place. */
export interface Refused {
  /** The service performs the request first, and its own answer is thrown away. */
  readonly performed?: boolean;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What it does, whatever group it does it to. */
export const kindOf = ({ method, path }: Passing): string =>
  `${method} ${path.replace(/\/groups\/[^/]+/, "/groups/*")}`;

export type Moment = "arrived" | "performed" | "answered";

export interface Line {
  readonly baseUrl: string;
  readonly requests: readonly Passing[];
  /** Throws what a function of the test threw while a request passed: the client saw a broken line. */
  readonly stop: () => Promise<void>;
}

export interface LineOptions {
  readonly to: string;
  readonly harm?: (passing: Passing) => Harm | undefined;
  /** Called at each moment of a request, in order; the request waits for it. */
  readonly on?: (passing: Passing, moment: Moment) => void | Promise<void>;
  /** Called with what the service answered, whatever the client gets to see of it. */
  readonly heard?: (passing: Passing, reply: Heard) => void;
  /** The `Date` of every answer; the service's own when left out. */
  readonly date?: () => Date;
}

export interface Heard {
  readonly status: number;
  readonly body: string;
}

export const openLine = async (options: LineOptions): Promise<Line> => {
  const { harm, date } = options;
  const requests: Passing[] = [];
  const late: Promise<unknown>[] = [];
  const thrown: unknown[] = [];
  // A connection to the service for each request takes a tenth of the processor time of a test.
  const agent = new Agent({ keepAlive: true, timeout: 1_000 });
  const server = createServer((incoming, answer) => {
    const passing = {
      number: requests.length + 1,
      method: incoming.method ?? "",
      path: (incoming.url ?? "").split("?")[0] ?? "",
    };
    requests.push(passing);
    if (date) answer.setHeader("date", date().toUTCString());
    const suffers = harm?.(passing);
    pass({ ...options, agent, incoming, answer, passing, suffers, late }).catch((error) => {
      // Errors of the connection have a code.
      if (!(error instanceof Error && "code" in error)) thrown.push(error);
      answer.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const stop = async (): Promise<void> => {
    await Promise.allSettled(late);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    for (const error of thrown) throw error;
  };
  return { baseUrl: `http://127.0.0.1:${portOf(server.address())}`, requests, stop };
};

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0;

interface Pass extends Omit<LineOptions, "harm"> {
  readonly agent: Agent;
  readonly incoming: IncomingMessage;
  readonly answer: ServerResponse;
  readonly passing: Passing;
  readonly suffers: Harm | undefined;
  readonly late: Promise<unknown>[];
}

const pass = async (it: Pass): Promise<void> => {
  const { incoming, answer, passing, suffers: harm, on } = it;
  const body = await bodyOf(incoming);
  await on?.(passing, "arrived");
  if (harm === "dropBefore") return void answer.destroy();
  if (harm === "failBefore") return fail(answer, 503, "text/html", "<html>busy</html>");
  if (typeof harm === "object" && "status" in harm) {
    if (harm.performed) await forward(it, body);
    if (harm.performed) await on?.(passing, "performed");
    answer.writeHead(harm.status, { ...harm.headers, connection: "close" });
    return void answer.end(harm.body);
  }
  const delayed = delayOf(harm);
  if (delayed) {
    it.late.push(delayed.until.then(() => forward(it, body)).then(delayed.done));
    if (!delayed.isCopy) return void answer.destroy();
  }
  if (harm === "double") await forward(it, body);
  const reply = await forward(it, body);
  await on?.(passing, "performed");
  if (harm === "dropAfter") return void answer.destroy();
  if (harm === "failAfter")
    return fail(
      answer,
      500,
      "application/json",
      '{"errorCode":"InternalError","errorMessage":"x"}',
    );
  if (harm === "miscount") return rewritten(answer, reply, oneMore);
  if (typeof harm === "object" && "rewrite" in harm) return rewritten(answer, reply, harm.rewrite);
  answer.writeHead(reply.status, reply.headers);
  if (harm === "cut") {
    answer.write(reply.body.subarray(0, reply.body.length >> 1), () => answer.destroy());
    return;
  }
  await new Promise<void>((done) => answer.end(reply.body, done));
  await on?.(passing, "answered");
};

const delayOf = (harm: Harm | undefined): Delayed | undefined => {
  if (harm === "late") return { until: new Promise((done) => setTimeout(done, 150)) };
  return typeof harm === "object" && "until" in harm ? harm : undefined;
};

const fail = (answer: ServerResponse, status: number, type: string, body: string): void => {
  answer.writeHead(status, { "content-type": type, "content-length": body.length });
  answer.end(body);
};

const oneMore = (body: string): string =>
  body.replace(
    /"registeredSuccess":(\d+)/,
    (_, count) => `"registeredSuccess":${Number(count) + 1}`,
  );

const rewritten = (
  answer: ServerResponse,
  { status, headers, body }: Reply,
  rewrite: Rewritten["rewrite"],
): void => {
  const text = rewrite(body.toString("utf8"));
  answer.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
  answer.end(text);
};

const bodyOf = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};

interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

const forward = async (it: Pass, body: Buffer): Promise<Reply> => {
  const reply = await performed(it, body);
  it.heard?.(it.passing, { status: reply.status, body: reply.body.toString("utf8") });
  return reply;
};

const performed = ({ to, agent, incoming, date }: Pass, body: Buffer): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { method, headers, url } = incoming;
    const stamp = date && { date: date().toUTCString() };
    const host = new URL(to).host;
    const options = { agent, method, headers: { ...headers, host, connection: "keep-alive" } };
    const out = request(`${to}${url}`, options, (reply) => {
      const { "keep-alive": _, ...kept } = reply.headers;
      bodyOf(reply).then(
        (bytes) =>
          resolve({
            status: reply.statusCode ?? 502,
            headers: { ...kept, ...stamp, connection: "close" },
            body: bytes,
          }),
        reject,
      );
    });
    out.on("error", reject);
    out.end(body);
  });

/** Loses the answers to three of ten requests: by chance, and the same ones for the same seed. */
export const losingAt = (seed: number): NonNullable<LineOptions["harm"]> => {
  const state = { it: seed };
  return () => {
    state.it = (state.it * 48_271) % 2_147_483_647;
    return state.it / 2_147_483_647 < 0.3 ? "dropAfter" : undefined;
  };
};
