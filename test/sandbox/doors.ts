/** The two doors of a sandbox as one: a request in, an answer out, in process and over HTTP. */

import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach } from "vitest";
import { openSandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import { keep, layKept } from "../support/new-sandbox.ts";
import { authorization, type Signing } from "../support/signer.ts";

/** The instant at which every test begins. */
export const start = "2026-01-05T09:00:00.000Z";

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it is, without being made JSON. */
  readonly bytes?: Uint8Array;
  /** How the request is signed; `null` leaves the header out. */
  readonly signing?: Signing | null;
}

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Door {
  readonly clock: { now: Date };
  call(method: string, target: string, asked?: Asked): Promise<Told>;
  close(): Promise<void>;
}

type Carry = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
) => Promise<Told>;

/** Waits until it is told to stop: time passes in tests only when they say so. */
export const untilStopped = (_ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** The same, and who still waits. */
export const watchedWaits = () => {
  const waits = new Set<unknown>();
  const wait = async (ms: number, signal?: AbortSignal): Promise<void> => {
    const own = { ms };
    waits.add(own);
    await untilStopped(ms, signal ?? new AbortController().signal);
    waits.delete(own);
  };
  return { waits, wait };
};

/** Settings that a sandbox is started with, beside those that all tests share. */
type Started = Pick<SandboxOptions, "strictOAuth">;

const fixtures = "fixtures at the start";

/** A copy of one store with the fixtures: to make it anew takes ten times as long. */
const openStore = (started: Started) => {
  const folder = mkdtempSync(join(tmpdir(), "msg-door-"));
  const file = join(folder, "sandbox.db");
  const clock = { now: new Date(start) };
  const isFilled = layKept(fixtures, file);
  const sandbox = openSandbox({
    file,
    now: () => clock.now,
    wait: untilStopped,
    checkAnswers: true,
    ...started,
  });
  if (!isFilled) keep(fixtures, file);
  const close = () => {
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { clock, sandbox, close };
};

const doorOf = (clock: Door["clock"], carry: Carry, close: () => Promise<void>): Door => ({
  clock,
  close,
  call: (method, target, { headers, body, bytes, signing = {} } = {}) => {
    const date = clock.now.toISOString();
    const content = bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
    const signed = signing && { authorization: authorization({ date, ...signing }) };
    const typed = content && { "content-type": "application/json" };
    return carry(method, target, { ...typed, ...signed, ...headers }, content);
  },
});

const methods = v.picklist(["GET", "POST", "PUT", "DELETE"]);

const inProcess = async (started: Started = {}): Promise<Door> => {
  const { clock, sandbox, close } = openStore(started);
  const carry: Carry = async (method, target, headers, body) => {
    const wire = { method: v.parse(methods, method), target, headers, body };
    const answer = await sandbox.send(wire, new AbortController().signal);
    return { ...answer, text: Buffer.from(answer.body).toString() };
  };
  return doorOf(clock, carry, async () => close());
};

const overHttp = async (started: Started = {}): Promise<Door> => {
  const { clock, sandbox, close } = openStore(started);
  const server = await sandbox.listen({ port: 0 });
  const carry: Carry = (method, target, headers, body) =>
    exchange(server.baseUrl, method, target, headers, body);
  return doorOf(clock, carry, async () => {
    await server.close();
    close();
  });
};

/** One request over a connection of its own; the target goes out as it is. */
export const exchange = (
  baseUrl: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array,
): Promise<Told> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const length = body === undefined ? {} : { "content-length": String(body.length) };
    const outgoing = request({
      hostname: hostname.replace(/[[\]]/g, ""),
      port,
      method,
      path: target,
      headers: { ...headers, ...length },
      agent: false,
    });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
          ),
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    outgoing.end(body);
  });

export const doors = [
  ["in process", inProcess],
  ["over HTTP", overHttp],
] as const;

/** The door of the test that runs: a new one for each of a block. */
export const openForEach = (open: () => Promise<Door>): Door => {
  let door: Door;
  beforeEach(async () => {
    door = await open();
  });
  afterEach(() => door.close());
  return {
    get clock() {
      return door.clock;
    },
    call: (...asked) => door.call(...asked),
    close: () => door.close(),
  };
};
