/** P10: the sandbox over HTTP under 64 connections, against a server that does nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { authorization } from "../../support/signer.ts";
import { type Bench, environment, type Figure, median, type Row, server } from "../measure.ts";

const connections = 64;
const requests = 4_000;

interface Load {
  readonly perSecond: number;
  readonly p99: number;
}

interface Ask {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

/** As `msg message get` asks for it: the service reads a single message from its list. */
const oneOf = (messageId: string): Ask => ({
  method: "GET",
  path: `/messages/v4/list?messageId=${messageId}`,
});
const page: Ask = { method: "GET", path: "/messages/v4/list?limit=20" };
const message = { to: "01000000001", from: "0200000000", text: "hello" };
const send: Ask = {
  method: "POST",
  path: "/messages/v4/send",
  body: JSON.stringify({ message }),
};

/** Signed requests, so many at a time; the signature costs both servers the same. */
const load = async (url: string, { method, path, body }: Ask): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const started = performance.now();
  const worker = async (): Promise<void> => {
    for (let count = 0; count < requests / connections; count += 1) {
      const begun = performance.now();
      const headers = { authorization: authorization(), "content-type": "application/json" };
      const length = Buffer.byteLength(body ?? "");
      const options = { agent, method, headers: { ...headers, "content-length": length } };
      const statusCode = await new Promise((resolve, reject) => {
        const asked = request(`${url}${path}`, options, (answer) =>
          answer.resume().on("end", () => resolve(answer.statusCode)),
        );
        asked.on("error", reject).end(body);
      });
      if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - started) / 1_000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { perSecond: requests / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
};

/** Answers the id of the message. */
const oneSend = async (url: string): Promise<string> => {
  const headers = { authorization: authorization(), "content-type": "application/json" };
  const { method, path, body = "" } = send;
  const answer = await fetch(`${url}${path}`, { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  const { messageId }: { messageId: string } = JSON.parse(await answer.text());
  return messageId;
};

/** `msg sandbox start`, in memory, on a free port. */
export const startSandbox = async (bench: Bench, ...more: readonly string[]) => {
  const args = [bench.msg, "sandbox", "start", "--port", "0", "--json", ...more];
  const child = spawn(bench.node, args, {
    env: environment(),
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [first]: readonly unknown[] = await once(child.stdout, "data");
  const { baseUrl }: { baseUrl: string } = JSON.parse(String(first).split("\n")[0] ?? "");
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
  return { url: baseUrl, pid: child.pid ?? 0, stop };
};

/** `askOf` makes the request of the id of a message that is there. */
const figuresOf = async (
  bench: Bench,
  name: string,
  askOf: (messageId: string) => Ask,
  atLeast: number,
) => {
  const floor = await server(bench, "null-server.js");
  const sandbox = await startSandbox(bench, "--memory");
  try {
    // A page has twenty rows to show.
    const messageIds: string[] = [];
    while (messageIds.length < 20) messageIds.push(await oneSend(sandbox.url));
    const ask = askOf(messageIds[0] ?? "");
    const floors: number[] = [];
    const loads: Load[] = [];
    for (let round = 0; round < bench.rounds; round += 1) {
      floors.push((await load(floor.url, ask)).perSecond);
      loads.push(await load(sandbox.url, ask));
    }
    const sandboxRate = median(loads.map((it) => it.perSecond));
    const medians = { "null server": median(floors), sandbox: sandboxRate };
    const p99 = { sandbox: median(loads.map((it) => it.p99)), limit: 250 };
    const figures: Figure[] = [
      {
        what: name,
        unit: "per second",
        medians,
        subject: "sandbox",
        goals: [{ to: "null server", atLeast }],
      },
      {
        what: `${name}, p99`,
        unit: "ms",
        medians: p99,
        subject: "sandbox",
        goals: [{ to: "limit", atMost: 1 }],
      },
    ];
    return figures;
  } finally {
    await floor.stop();
    await sandbox.stop();
  }
};

export const sandboxLoad: Row = {
  id: "P10",
  what: "sandbox over HTTP, 64 connections",
  run: async (bench) => [
    ...(await figuresOf(bench, "signed GET of one message", oneOf, 0.2)),
    ...(await figuresOf(bench, "page of 20", () => page, 0.12)),
    ...(await figuresOf(bench, "POST send", () => send, 0.1)),
  ],
};
