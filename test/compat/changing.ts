/** A sandbox over HTTP whose answers are changed on their way to `msg`. */
import { createServer } from "node:http";
import { openServer } from "../sandbox/serve.ts";
import { type Ran, shell } from "../support/msg.ts";
import { envOf } from "../support/signer.ts";

/** What becomes of a member of an answer; undefined leaves it out. */
export type Change = (value: unknown, name: string) => unknown;

export const changes: Readonly<Record<string, Change>> = {
  dropped: () => undefined,
  null: () => null,
  text: (value) => (typeof value === "object" ? value : String(value)),
};

/** The members that a list is read on by, and those without which there is no answer at all. */
const kept = /^(\w+List|data|friends|payments|completed|nextKey|startKey|limit|\w+Id|_id)$/;

/** Every member of an answer changed, rows of lists and what is in them included. */
const changed = (value: unknown, change: Change): unknown => {
  if (Array.isArray(value)) return value.map((it) => changed(it, change));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const isRow = typeof member === "object" && /^[A-Z]\w{20,}$/.test(name);
    const next =
      kept.test(name) || isRow ? changed(member, change) : change(changed(member, change), name);
    return next === undefined ? [] : [[name, next]];
  });
  return Object.fromEntries(members);
};

const asItIs: Change = (value) => value;

/** `change` is what happens to answers, of reads and writes, from now on. */
export const openChanging = async () => {
  const now = { change: asItIs, isOfWritesOnly: false };
  const served = await openServer({ now: () => new Date() });
  const proxy = createServer(async (request, response) => {
    const { authorization = "" } = request.headers;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = await fetch(served.url + request.url, {
      method: request.method ?? "GET",
      headers: { authorization, "content-type": "application/json" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const isChanged = answer.ok && !(now.isOfWritesOnly && request.method === "GET");
    const body = isChanged ? JSON.stringify(changed(JSON.parse(text), now.change)) : text;
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}`;
  const msg = shell({
    env: envOf(url),
  });
  await fetch(`${served.url}/_sandbox/settings`, {
    ...{ method: "PUT", body: '{"secondFactor":"off"}' },
    headers: { "content-type": "application/json" },
  });
  const change = (next: Change = asItIs, isOfWritesOnly = false): void => {
    Object.assign(now, { change: next, isOfWritesOnly });
  };
  const close = async (): Promise<void> => {
    proxy.close();
    await served.close();
  };
  return { url, msg, change, close };
};

/** A fault of the program, or a cell that shows how it came about. */
export const faultOf = (line: string, { code, out, err }: Ran): string | undefined =>
  code === 1 || /undefined|NaN|\[object|Invalid Date/.test(out)
    ? `${line}: ${code} ${err} ${out.slice(0, 300)}`
    : undefined;
