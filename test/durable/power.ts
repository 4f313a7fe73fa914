/**
 * A disk in memory with one file, whose power can be cut: of what was written since the last sync each
 * sector is there or not, in any mixture of all that stood there meanwhile.
 */
import { diskFiles, type Files } from "../../src/durable/files.ts";
import { systemError } from "./faulty.ts";

/** A number below so many, which whoever tests chooses. */
export type Pick = (choices: number) => number;

export interface PowerDisk {
  readonly files: Files;
  /** What happens to the process and its disk from now on. */
  readonly harm: Harm;
  /** A new process: it finds what is in memory, whether that is on the disk or not. */
  readonly restart: () => void;
  /** The same behind a power cut: it finds what is on the disk. */
  readonly cutPower: () => void;
}

interface Harm {
  /** At this call of those that change the disk the process dies: with it all its calls fail. */
  diesAt: number;
  /** The disk takes so many bytes more. */
  room: number;
  /** The next sync fails, and what it had to write is not written by a later one either. */
  isSyncBad: boolean;
}

const unharmed: Harm = { diesAt: Infinity, room: Infinity, isSyncBad: false };

const sector = 512;

const sectorOf = (bytes: Buffer, at: number): Buffer => {
  const found = Buffer.alloc(sector);
  bytes.subarray(at * sector, (at + 1) * sector).copy(found);
  return found;
};

/** A file as processes see it and as it lies on the disk, and all that it was since the last sync. */
const powerFile = () => {
  const it: { seen: Buffer; kept: Buffer } = { seen: Buffer.alloc(0), kept: Buffer.alloc(0) };
  const sectors = new Map<number, Buffer[]>();
  const sizes: number[] = [];
  const change = (bytes: Buffer, from: number, to: number): void => {
    it.seen = bytes;
    sizes.push(bytes.length);
    for (let at = Math.floor(from / sector); at * sector < to; at += 1)
      sectors.set(at, [...(sectors.get(at) ?? []), sectorOf(bytes, at)]);
  };
  return {
    it,
    write: (bytes: Uint8Array, at: number): void => {
      const all = Buffer.alloc(Math.max(at + bytes.length, it.seen.length));
      it.seen.copy(all);
      all.set(bytes, at);
      change(all, at, at + bytes.length);
    },
    cut: (size: number): void => {
      change(Buffer.from(it.seen.subarray(0, size)), size, it.seen.length);
    },
    /** The disk takes over one of the contents of each sector that changed. */
    settle: (choose: Pick): void => {
      const all = [it.kept.length, ...sizes];
      const kept = Buffer.alloc(all[choose(all.length)] ?? 0);
      it.kept.copy(kept);
      for (const [at, contents] of sectors) {
        const some = [sectorOf(it.kept, at), ...contents];
        if (at * sector < kept.length) some[choose(some.length)]?.copy(kept, at * sector);
      }
      it.kept = kept;
      sectors.clear();
      sizes.length = 0;
    },
  };
};

const name = "log";

const newest: Pick = (choices) => choices - 1;

export const powerDisk = (pick: Pick): PowerDisk => {
  const file = powerFile();
  const harm = { ...unharmed };
  const changes = (): void => {
    harm.diesAt -= 1;
    if (harm.diesAt <= 0) throw systemError("EKILLED");
  };
  const sync = (): void => {
    changes();
    file.settle(harm.isSyncBad ? pick : newest);
    if (harm.isSyncBad) throw systemError("EIO");
  };
  const files: Files = {
    ...diskFiles,
    ...{ openWrite: () => 1, openFolder: () => 2, close: () => undefined },
    // There is room for no second file: the log is written where it is.
    create: (path) => {
      if (path !== name) throw systemError("ENOSPC");
      return 1;
    },
    ...{ sync: changes, syncData: sync },
    read: () => Buffer.from(file.it.seen),
    write: (_, bytes, offset, at = 0) => {
      changes();
      if (harm.room <= 0) throw systemError("ENOSPC");
      const part = bytes.subarray(offset, offset + harm.room);
      harm.room -= part.length;
      file.write(part, at);
      return part.length;
    },
    cut: (_, size) => {
      changes();
      file.cut(size);
    },
    remove: (path) => {
      if (path !== name) return;
      changes();
      file.cut(0);
    },
  };
  const restart = (): void => void Object.assign(harm, unharmed);
  const cutPower = (): void => {
    file.settle(pick);
    file.it.seen = Buffer.from(file.it.kept);
    restart();
  };
  return { files, harm, restart, cutPower };
};
