/** Reads a plan from its file, line by line; checks that it is complete and that its header matches its bodies. */

import { createHash, hash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import * as v from "valibot";
import { type MessageInput, messageInput } from "../../contract/message-records.ts";
import { MsgError } from "../../errors.ts";
import { asRecord, readJson } from "../../json/read-json.ts";
import { t } from "../../locale/locale.ts";
import { type Counts, type Tally, tally, tallyFallback } from "../../message/price.ts";
import { rowIn, withoutCorrelationId } from "../messages/correlation.ts";
import { identityOf } from "../plan/read-source.ts";
import { tap } from "../sources/open-source.ts";
import { messagesIn } from "../store/row-outcomes.ts";
import { type RunFile, runDigest } from "../store/run-file.ts";
import { damagedPlan, isRunOfPlan, type PlanHeader, parseHeader } from "./format.ts";

/** Called with what the file holds after its header. */
export interface PlanReader {
  /** The bytes of a body, as they will be sent. */
  readonly onBody?: (bytes: Uint8Array) => void;
  readonly onMessage?:
    | ((row: number, message: MessageInput, header: PlanHeader) => void)
    | undefined;
  /** A row that was left out, as one line of JSON. */
  readonly onLeftOut?: (line: Uint8Array) => void;
}

export interface ReadPlan {
  readonly header: PlanHeader;
  /** SHA-256 of all lines but the last: what an approval signs. */
  readonly digest: string;
  /** Counted from its bodies, not taken from the header. */
  readonly counts: Counts;
  readonly fallback: Counts;
}

class Reading {
  readonly name: string;
  readonly reader: PlanReader;
  readonly hash = createHash("sha256");
  readonly content = createHash("sha256");
  readonly counts: Tally = new Map();
  readonly fallback: Tally = new Map();
  header: PlanHeader | undefined;
  digest: string | undefined;
  bodies = 0;
  leftOut = 0;
  messages = 0;

  constructor(name: string, reader: PlanReader) {
    this.name = name;
    this.reader = reader;
  }
}

/**
 * Reads all of it; memory does not grow with its rows. Throws MsgError (usage) for a file that is not a plan, was
 * cut or changed, or whose header does not match its bodies: then nothing of it may be used.
 */
export const readPlan = async (
  source: AsyncIterable<Uint8Array>,
  name: string,
  reader: PlanReader = {},
): Promise<ReadPlan> => {
  const it = new Reading(name, reader);
  for await (const line of linesOf(source, name)) takeLine(it, line);
  const { header, digest, counts, fallback } = it;
  if (!header || digest === undefined) throw damagedPlan(name, t`its end is missing`);
  assertRowsMatch(it, header.run);
  return { header, digest, counts, fallback };
};

const takeLine = (reading: Reading, line: Uint8Array): void => {
  if (reading.digest !== undefined) throw damagedPlan(reading.name, t`it continues after its end`);
  const { header } = reading;
  const isBody = header !== undefined && reading.bodies < header.run.chunks.length;
  if (header !== undefined && !isBody && reading.leftOut === header.leftOut) {
    reading.digest = reading.hash.digest("hex");
    if (asRecord(readJson(line)).digest === reading.digest) return;
    throw damagedPlan(reading.name, t`its lines do not match its digest`);
  }
  reading.hash.update(line).update("\n");
  if (header === undefined) takeHeader(reading, line);
  else if (isBody) takeBody(reading, header, line);
  else {
    reading.leftOut += 1;
    reading.reader.onLeftOut?.(line);
  }
};

const takeHeader = (reading: Reading, line: Uint8Array): void => {
  const header = parseHeader(line, reading.name);
  if (!isRunOfPlan(header.run))
    throw damagedPlan(reading.name, t`its header belongs to another kind of run`);
  reading.header = header;
  reading.content.update(JSON.stringify(identityOf(header.run)));
};

const takeBody = (reading: Reading, header: PlanHeader, line: Uint8Array): void => {
  const chunk = header.run.chunks[reading.bodies];
  reading.bodies += 1;
  const sha256 = hash("sha256", line);
  if (chunk?.length !== line.length || chunk.sha256 !== sha256)
    throw damagedPlan(reading.name, t`body ${reading.bodies} was changed`);
  reading.reader.onBody?.(line);
  const messages = messagesIn(line);
  if (messages.length !== chunk.rows)
    throw damagedPlan(reading.name, t`body ${reading.bodies} has other rows`);
  for (const message of messages) takeMessage(reading, header, message);
};

const takeMessage = (reading: Reading, header: PlanHeader, message: object): void => {
  const { run, tagged, canary } = header.run;
  const isTeam = canary?.isTeam === true && reading.bodies > canary.from;
  reading.messages += 1;
  const runOfMessage = asRecord(asRecord(message).customFields)["msg.run"];
  if (runOfMessage !== (tagged ? run : undefined))
    throw damagedPlan(reading.name, t`one of its messages belongs to another run`);
  // Messages to the team's own numbers are not rows of the list.
  if (!isTeam) reading.content.update(JSON.stringify(withoutCorrelationId(message)));
  const input = asInput(message, reading.name);
  tally(reading.counts, input);
  tallyFallback(reading.fallback, input);
  reading.reader.onMessage?.(rowIn(message) ?? reading.messages, input, header);
};

/** Planning has checked the message: here it only has to have the members that are counted and shown. */
const asInput = (message: object, name: string): MessageInput => {
  const read = v.safeParse(messageInput, message);
  if (read.success) return read.output;
  throw damagedPlan(name, t`one of its messages is not valid`);
};

/** People approve what the header says about the rows. */
const assertRowsMatch = ({ name, messages, content }: Reading, run: RunFile): void => {
  const digest = content.digest("hex");
  const isSame =
    messages === run.messages && digest === run.content && run.digest === runDigest(run, digest);
  if (!isSame) throw damagedPlan(name, t`its header describes other rows`);
};

const newline = 0x0a;
/** Longer than the longest body, and than the header of a plan with many bodies. */
const maxLine = 256 * 1024 * 1024;

/** The lines of a gzip file, which must end with a whole line. */
async function* linesOf(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Buffer> {
  let fed = 0;
  const counted = tap(source, (piece) => {
    fed += piece.length;
  });
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  pipeline(Readable.from(counted), gunzip, () => undefined);
  let rest: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of gunzip) {
      const bytes: Buffer = part;
      let from = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
        yield Buffer.concat([...rest, bytes.subarray(from, end)]);
        from = end + 1;
        rest = [];
        length = 0;
      }
      rest.push(bytes.subarray(from));
      length += bytes.length - from;
      if (length > maxLine) throw damagedPlan(name, t`one of its lines is too long`);
    }
  } catch (error) {
    if (error instanceof MsgError) throw error;
    throw damagedPlan(name, t`it cannot be unpacked`, error);
  }
  if (length > 0) throw damagedPlan(name, t`its end is missing`);
  // gunzip ignores what follows the packed bytes: it is not part of the plan.
  if (gunzip.bytesWritten !== fed) throw damagedPlan(name, t`it continues after its end`);
}
