/** plan.jsonl: the bodies of a run's requests, one a line, each fixed before it is sent (sending.md 3). */
import { createHash } from "node:crypto";
import type { MessageInput } from "../contract/message-records.ts";
import { mostRecipients } from "../contract/messages.ts";
import { fileError } from "../durable/failure.ts";
import type { Files } from "../durable/files.ts";
import { writeAll } from "../durable/whole.ts";
import type { PlannedChunk } from "./run-file.ts";

/** Bytes of one body at most; the service takes 15 MB. */
const mostBytes = 14 * 1000 * 1000;

export interface BodiesOptions {
  readonly files: Files;
  readonly path: string;
  /** Messages of one body; 10,000 when left out. */
  readonly rows: number | undefined;
  /** The run that its messages are marked with. */
  readonly tag: string | undefined;
  /** Members beside `messages`, known once it is known how many bodies there are. */
  readonly members: (single: boolean) => Readonly<Record<string, unknown>>;
}

export interface Bodies {
  readonly add: (row: number, message: MessageInput) => void;
  /** Writes what is left. The bytes are on the disk when it returns. */
  readonly end: () => PlannedChunk[];
  readonly close: () => void;
}

/** Writes bodies as they fill. A first one is held back until it is known whether it stays alone. */
export const createBodies = (options: BodiesOptions, hash: (json: string) => void): Bodies => {
  const { files, path, tag, members } = options;
  const most = Math.min(options.rows ?? mostRecipients, mostRecipients);
  const descriptor = guarded(path, () => files.create(path, 0o600));
  const chunks: PlannedChunk[] = [];
  const open = emptyBody();
  const flush = (single: boolean): void => {
    const body = Buffer.from(bodyOf(open.texts, members(single)));
    guarded(path, () => writeAll(files, descriptor, Buffer.concat([body, lineEnd])));
    const { length } = body;
    const sha256 = createHash("sha256").update(body).digest("hex");
    const { offset, first } = open;
    chunks.push({ offset, length, rows: open.texts.length, first, sha256 });
    open.offset += length + 1;
    open.texts = [];
    open.bytes = 0;
  };
  return {
    add: (row, message) => {
      const json = JSON.stringify(message);
      hash(json);
      const text = tag === undefined ? json : tagged(message, json, tag, row);
      const bytes = Buffer.byteLength(text) + 1;
      if (open.texts.length >= most || open.bytes + bytes > mostBytes) flush(false);
      if (open.texts.push(text) === 1) open.first = row;
      open.bytes += bytes;
    },
    end: () => {
      if (open.texts.length > 0) flush(chunks.length === 0);
      guarded(path, () => files.syncData(descriptor));
      return chunks;
    },
    close: () => files.close(descriptor),
  };
};

const emptyBody = (texts: string[] = []) => ({ texts, bytes: 0, first: 0, offset: 0 });

const lineEnd = Buffer.from("\n");

const bodyOf = (texts: readonly string[], members: Readonly<Record<string, unknown>>): string => {
  const rest = JSON.stringify(members).slice(1, -1);
  return `{"messages":[${texts.join(",")}]${rest === "" ? "" : `,${rest}`}}`;
};

/** A message that is marked with its run and row: what came of it can be looked up. */
const tagged = (message: MessageInput, json: string, run: string, row: number): string => {
  const tag = { "msg.run": run, "msg.row": `${row}` };
  if (!message.customFields) return `${json.slice(0, -1)},"customFields":${JSON.stringify(tag)}}`;
  return JSON.stringify({ ...message, customFields: { ...message.customFields, ...tag } });
};

const guarded = <T>(path: string, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw fileError(error, `write '${path}'`, path);
  }
};
