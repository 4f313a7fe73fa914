/**
 * Tens of thousands of requests that are wrong in many ways, against every endpoint of the contract: 8,000 of
 * them in `npm test`, 50,000 with `EVERY=1`.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import * as v from "valibot";
import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { contract } from "../../src/contract/index.ts";
import { createClock } from "../../src/sandbox/clock.ts";
import { reset } from "../../src/sandbox/fixtures/index.ts";
import { createRouter } from "../../src/sandbox/router.ts";
import type { ServiceRequest } from "../../src/sandbox/service.ts";
import type { Database } from "../../src/sandbox/store/driver.ts";
import { openTables } from "../../src/sandbox/store/open-tables.ts";
import { openStore, type Store } from "../../src/sandbox/store/store.ts";
import { countOf } from "../support/share.ts";
import { authorization } from "../support/signer.ts";
import { start } from "./doors.ts";

const seed = Number(process.env.MSG_TEST_SEED ?? 20_260_105);
const requests = countOf(50_000, 8_000);
/** Requests of one transaction. */
const flight = 500;

/** What is kept of requests themselves, refused or not. */
const keptOfRequests = ["requests", "signatures"];

/** Every other table: how many rows it has, and a digest of all that stands in them. */
const digest = (tables: Database): Readonly<Record<string, string>> => {
  const names = tables
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("sqlite_") && !keptOfRequests.includes(name));
  return Object.fromEntries(
    names.map((name) => {
      const rows = tables.all(`SELECT * FROM ${name}`).map((row) => JSON.stringify(row));
      const hash = createHash("sha256").update(rows.sort().join("\n")).digest("hex");
      return [name, `${rows.length} rows ${hash}`];
    }),
  );
};

const endpoints: readonly Endpoint[] = Object.values(contract);

/** Values that no member of a body may have, and texts that are no JSON. */
const wrongValue = fc.constantFrom("[[[1]]]", '{"x":{"y":[]}}', "1e999", '"\\ud800"', "-0.5", "{}");
const names = (endpoint: Endpoint): readonly string[] => Object.keys(endpoint.body?.entries ?? {});

/** Whether a text is what an endpoint takes: an empty one stands for no members at all. */
const isBody = ({ body }: Endpoint, text: string): boolean => {
  if (body === undefined) return false;
  try {
    const value: unknown = JSON.parse(text || "{}");
    return !Array.isArray(value) && v.is(body, value);
  } catch {
    return false;
  }
};

const wrongBody = (endpoint: Endpoint): fc.Arbitrary<string> => {
  const member = fc.tuple(fc.constantFrom("x", ...names(endpoint)), wrongValue);
  const bodies = fc.oneof(
    fc.string({ maxLength: 40 }).map((text) => `{${text}`),
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify([value])),
    fc.constantFrom("", "null", "1", '"text"', "[]", "{", "\u0000", '{"a":1}}', "[".repeat(5_000)),
    fc
      .array(member, { minLength: 1, maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`),
  );
  return bodies.filter((text) => !isBody(endpoint, text));
};

const header = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    "HMAC-SHA256 apiKey=SANDBOXKEY000001, date=x, salt=abcdef012345, signature=x",
    "bearer x.y.z",
    "Basic !!!",
    "HMAC-SHA256",
  ),
);

const wrongRequest = (endpoint: Endpoint) =>
  fc.record({
    endpoint: fc.constant(endpoint),
    id: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom("..", "%00", "x", "%", "é")),
    query: fc.string({ maxLength: 30 }),
    body: wrongBody(endpoint),
    /** Undefined: signed as it should be. */
    header: fc.option(header, { nil: undefined }),
  });

const receiveOf = (file: string, store: Store) => {
  const now = () => new Date(start);
  const load = () => null;
  const clock = createClock(store.settings, now);
  store.transaction(() => reset(store, now().getTime()));
  return createRouter({
    ...{ store, clock, file, checkAnswers: true, strictOAuth: false, load },
    runDueJobs: () => undefined,
    finishDueJobs: () => undefined,
  });
};

const open = () => {
  const folder = mkdtempSync(join(tmpdir(), "msg-malformed-"));
  const file = join(folder, "sandbox.db");
  const store = openStore(file);
  const receive = receiveOf(file, store);
  const tables = openTables(file);
  onTestFinished(() => {
    tables.close();
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const requestOf = ({ endpoint, id = "", query = "", body, header }: Asked): ServiceRequest => ({
    method: endpoint.method,
    target: `${endpoint.path.replaceAll(/:\w+/g, id)}?${query}`,
    headers: {
      authorization: header ?? authorization({ date: start }),
      "content-type": "application/json",
    },
    body: body === undefined ? undefined : Buffer.from(body),
    address: "127.0.0.1",
  });
  /** All of them in one transaction, which takes a third of the time. */
  const ask = async (asked: readonly Asked[]) => {
    const requests = asked.map(requestOf);
    const exchanges = store.transaction(() => requests.map(receive));
    const answers = await Promise.all(exchanges.map(({ answer }) => answer));
    return answers.map(({ status, body }, at) => {
      const text = Buffer.from(body).toString();
      const request = requests[at];
      return {
        status,
        text,
        said: `${request?.method} ${request?.target} ${asked[at]?.body}: ${text}`,
      };
    });
  };
  return { ask, tables };
};

interface Asked {
  readonly endpoint: Endpoint;
  readonly id?: string;
  readonly query?: string;
  readonly body?: string;
  readonly header?: string | undefined;
}

/** A refusal has both members; only what reads may find something to answer. */
const isFit = (effect: Endpoint["effect"], status: number, text: string): boolean =>
  status < 300
    ? effect === "safe"
    : status >= 400 && status < 500 && /^\{"errorCode":"\w+","errorMessage":".+"/s.test(text);

test(`B10: ${requests} malformed requests against every endpoint: never 5xx, both members in each refusal, nothing changed, others served`, async () => {
  const { ask, tables } = open();
  const balance = { endpoint: contract.getBalance };
  const [first] = await ask([balance]);
  expect(first?.status, first?.said).toBe(200);
  const before = digest(tables);
  const wrong: string[] = [];
  const met = new Set<string>();
  const any = fc.oneof(...endpoints.map(wrongRequest));
  for (let round = 0; round < requests / flight; round += 1) {
    const all = fc.sample(any, { numRuns: flight, seed: seed + round });
    const [other, ...answers] = await ask([balance, ...all]);
    for (const [at, { status, text, said }] of answers.entries())
      if (!isFit(all[at]?.endpoint.effect ?? "safe", status, text)) wrong.push(`${status} ${said}`);
    for (const { endpoint } of all) met.add(`${endpoint.method} ${endpoint.path}`);
    expect(other?.text).toBe(first?.text);
  }
  expect(met).toEqual(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)));
  expect(wrong, `seed ${seed}`).toEqual([]);
  expect(digest(tables)).toEqual(before);
}, 240_000);
