/**
 * The Model Context Protocol on two streams, by its official SDK; the only import of that. The build makes this a
 * file of its own (.build.mjs), which no other command reads, so it imports nothing from src.
 */
import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** A tool as an assistant sees it. */
export interface ToolFacts {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: { readonly type: "object"; readonly [name: string]: unknown };
  readonly annotations: { readonly readOnlyHint: boolean };
}

export interface ResourceFacts {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
}

/** A text, and whether it says that something went wrong. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export interface Served {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly ToolFacts[];
  readonly resources: readonly ResourceFacts[];
  /** `signal` fires when the assistant cancels: calls that have not begun are dropped. */
  readonly call: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<ToolAnswer>;
  /** Undefined if there is none. */
  readonly read: (uri: string) => Promise<string | undefined>;
}

/**
 * Answers until the other side closes its stream or `signal` fires; calls under way end first. Returns whether the
 * library gave up before that: it does so on a message of more than 10 MiB, and then reads no more.
 */
export const serveProtocol = async (
  served: Served,
  input: Readable,
  output: Writable,
  signal: AbortSignal,
): Promise<boolean> => {
  const open = new Set<Promise<unknown>>();
  const server = createServer(served, (work) => {
    open.add(work);
    work.finally(() => open.delete(work)).catch(() => undefined);
    return work;
  });
  const ended = new Promise<boolean>((resolve) => {
    for (const event of ["end", "close", "error"]) input.once(event, () => resolve(false));
    signal.addEventListener("abort", () => resolve(false), { once: true });
    server.onclose = () => resolve(true);
  });
  await server.connect(new StdioServerTransport(input, output));
  const gaveUp = await ended;
  do {
    await Promise.allSettled([...open]);
    // By then the call that was read last has begun, and the answers of those that ended are written.
    await new Promise((resolve) => setImmediate(resolve));
  } while (open.size > 0);
  await server.close();
  return gaveUp;
};

const createServer = (served: Served, track: <T>(work: Promise<T>) => Promise<T>): Server => {
  const { name, version, instructions, tools, resources, call, read } = served;
  const capabilities = { tools: {}, resources: {} };
  const server = new Server({ name, version }, { capabilities, instructions });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((it) => ({ ...it })),
  }));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { text, isError } = await track(call(params.name, params.arguments ?? {}, signal));
    return { content: [{ type: "text" as const, text }], isError };
  });
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const text = await track(read(uri));
    if (text === undefined) throw new Error(`there is no resource ${uri}`);
    return { contents: [{ uri, text }] };
  });
  return server;
};
