/** The real file system through a port that fails at a chosen call, or dies there. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { diskFiles, type Files } from "../../src/durable/files.ts";
import type { Processes } from "../../src/durable/processes.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that is removed after the tests of the file. */
export const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "msg-files-"));
  folders.push(folder);
  return folder;
};

export const random = (size: number): Uint8Array => randomBytes(size);

export const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: injected`), { code });

export interface Fault {
  /** The call that fails, counted from 1 over all calls. */
  readonly at: number;
  /** An error code; `kill` lets every later call fail too, as for a process that is gone. */
  readonly with: string;
  /** The failing call did its work before it failed. */
  readonly after?: boolean;
}

/** Fails once, at the chosen call; `calls` are the names of the calls so far. */
export const faulty = (fault: Fault): { readonly files: Files; readonly calls: string[] } =>
  watched((now, perform) => {
    const dead = fault.with === "kill" && now > fault.at;
    if (now !== fault.at && !dead) return;
    if (fault.after && !dead) perform();
    throw systemError(fault.with === "kill" ? "EKILLED" : fault.with);
  });

/** Tells of each call before it is performed, by its number from 1 on. */
export const watched = (
  before: (call: number, perform: () => unknown) => void,
): { readonly files: Files; readonly calls: string[] } => {
  const calls: string[] = [];
  const guard =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      calls.push(name);
      before(calls.length, () => call(...args));
      return call(...args);
    };
  const files: Files = {
    create: guard("create", diskFiles.create),
    openWrite: guard("openWrite", diskFiles.openWrite),
    openFolder: guard("openFolder", diskFiles.openFolder),
    write: guard("write", diskFiles.write),
    sync: guard("sync", diskFiles.sync),
    syncData: guard("syncData", diskFiles.syncData),
    cut: guard("cut", diskFiles.cut),
    size: guard("size", diskFiles.size),
    close: guard("close", diskFiles.close),
    read: guard("read", diskFiles.read),
    readPart: guard("readPart", diskFiles.readPart),
    rename: guard("rename", diskFiles.rename),
    remove: guard("remove", diskFiles.remove),
    list: guard("list", diskFiles.list),
    lstat: guard("look", diskFiles.lstat),
    stat: guard("stat", diskFiles.stat),
    readLink: guard("readLink", diskFiles.readLink),
    real: guard("real", diskFiles.real),
    makeFolder: guard("makeFolder", diskFiles.makeFolder),
    changeMode: guard("changeMode", diskFiles.changeMode),
  };
  return { files, calls };
};

/** A disk with room for `room` bytes: it takes part of a write, then none, as a real one does. */
export const fullDisk = (room: number): Files => {
  let left = room;
  return {
    ...diskFiles,
    write: (descriptor, bytes, offset, at) => {
      if (left === 0) throw systemError("ENOSPC");
      const taken = Math.min(left, bytes.length - offset);
      left -= taken;
      return diskFiles.write(descriptor, bytes.subarray(0, offset + taken), offset, at);
    },
  };
};

/** A process with a name of its own; those of the list are gone. */
export const processes = (
  self: string,
  gone: readonly string[] = [],
  every: Processes["every"] = () => () => undefined,
): Processes => {
  const isGone = (one: string): boolean => gone.map(owner).includes(one);
  return { self: owner(self), isGone, isLeftover: isGone, every };
};

/** `7` → the word of a process 7 on this machine. */
export const owner = (pid: string): string => `00000001.00000002.4026531836.${pid}.3`;

/** What a lease of process `pid` holds that it took as the first, and shows it working no more. */
export const leaseOf = (pid: string): string => `000000000000 1 00000000000000aa ${owner(pid)}\n`;
