/** A disk in memory: it can be full, lose what was not synchronised, be copied, damaged and put back. */
import { dirname, join } from "node:path";
import type { FileStatus, Files } from "../../src/durable/files.ts";
import type { Dice } from "./dice.ts";

/** What is on the disk now, and what a power cut would leave of it. */
interface File {
  readonly kind: "file";
  mode: number;
  changedMs: number;
  live: Buffer;
  safe: Buffer;
}

interface Folder {
  readonly kind: "folder";
  mode: number;
  readonly live: Map<string, Node>;
  safe: ReadonlyMap<string, Node>;
}

type Node = File | Folder;

/** A disk as it was. */
export type Copy = Folder;

export interface Disk {
  /** As a process sees it. `onChange` is called before each change, and may throw in its place. */
  readonly filesFor: (process: ProcessView) => Files;
  /** What was not synchronised is lost, or is not, as the dice say. */
  readonly cutPower: (dice: Dice) => void;
  readonly lose: () => void;
  readonly copy: () => Copy;
  /** Puts a copy of this disk, or of another one, in the place of what is there. */
  readonly putBack: (copy: Copy) => void;
  /** How many bytes there is room for; undefined for as many as are wanted. */
  room: number | undefined;
  /** Which synchronisation from now on fails; undefined for none. */
  failsSync: number | undefined;
  /** The same of any change of it. */
  failsChange: number | undefined;
  /** Files as they stand, by path. */
  readonly paths: () => readonly string[];
  /** The bytes of a file; undefined where there is none. */
  readonly read: (path: string) => Uint8Array | undefined;
  /** Puts other bytes in the place of those of a file. */
  readonly damage: (path: string, change: (bytes: Buffer) => Buffer) => void;
}

export interface ProcessView {
  readonly onChange: (what: string) => void;
  readonly now: () => number;
  /** What the kernel shows of itself and its processes. */
  readonly system: (path: string) => string | undefined;
}

export const user = 1000;

export const createDisk = (): Disk => {
  const state = { root: newFolder(0o755) };
  const disk: Disk = {
    filesFor: (process) => filesOf(() => state.root, disk, process),
    cutPower: (dice) => {
      state.root = afterCut(state.root, dice);
    },
    lose: () => {
      state.root = newFolder(0o755);
    },
    copy: () => cloneFolder(state.root),
    putBack: (copy) => {
      state.root = cloneFolder(copy);
    },
    room: undefined,
    failsSync: undefined,
    failsChange: undefined,
    paths: () => pathsOf(state.root, "/"),
    read: (path) => {
      const node = find(state.root, path);
      return node?.kind === "file" ? node.live : undefined;
    },
    damage: (path, change) => {
      const node = find(state.root, path);
      if (node?.kind !== "file") return;
      node.live = change(node.live);
      node.safe = node.live;
    },
  };
  return disk;
};

const newFolder = (mode: number): Folder => ({
  kind: "folder",
  mode,
  live: new Map(),
  safe: new Map(),
});

const cloneFolder = (folder: Folder): Folder => {
  const live = new Map([...folder.live].map(([name, node]) => [name, clone(node)] as const));
  return { ...folder, live, safe: new Map(live) };
};

const clone = (node: Node): Node => {
  if (node.kind === "folder") return cloneFolder(node);
  const bytes = Buffer.from(node.live);
  return { ...node, live: bytes, safe: bytes };
};

/** Each name as it is or as it was synchronised; of a file that grew, a part of what is new may be there. */
const afterCut = (folder: Folder, dice: Dice): Folder => {
  const left = newFolder(folder.mode);
  for (const name of new Set([...folder.live.keys(), ...folder.safe.keys()])) {
    const [now, then] = [folder.live.get(name), folder.safe.get(name)];
    const node = now === then || dice.chance(0.5) ? now : then;
    if (node)
      left.live.set(name, node.kind === "folder" ? afterCut(node, dice) : leftOf(node, dice));
  }
  left.safe = new Map(left.live);
  return left;
};

const leftOf = (file: File, dice: Dice): File => {
  const { live, safe } = file;
  if (live === safe) return file;
  const grew = live.length > safe.length && live.subarray(0, safe.length).equals(safe);
  const torn = grew ? live.subarray(0, dice.between(safe.length, live.length)) : safe;
  const bytes = Buffer.from(dice.chance(0.3) ? live : torn);
  return { ...file, live: bytes, safe: bytes };
};

const pathsOf = (folder: Folder, at: string): string[] =>
  [...folder.live].flatMap(([name, node]) =>
    node.kind === "folder" ? pathsOf(node, join(at, name)) : [join(at, name)],
  );

const partsOf = (path: string): string[] => path.split("/").filter((it) => it !== "");

const find = (root: Folder, path: string): Node | undefined => {
  let node: Node | undefined = root;
  for (const part of partsOf(path)) {
    if (node === undefined) return undefined;
    if (node.kind === "file") throw failure("ENOTDIR", path);
    node = node.live.get(part);
  }
  return node;
};

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code });

interface Opened {
  readonly node: Node;
  readonly path: string;
  at: number;
}

const filesOf = (root: () => Folder, disk: Disk, process: ProcessView): Files => {
  const { onChange, now, system } = process;
  const opened = new Map<number, Opened>();
  const fileAt = (path: string): File => {
    const node = find(root(), path);
    if (!node) throw failure("ENOENT", path);
    if (node.kind === "folder") throw failure("EISDIR", path);
    return node;
  };
  const folderAt = (path: string): Folder => {
    const node = find(root(), path);
    if (!node) throw failure("ENOENT", path);
    if (node.kind === "file") throw failure("ENOTDIR", path);
    return node;
  };
  const open = (node: Node, path: string): number => {
    const descriptor = opened.size + 3;
    opened.set(descriptor, { node, path, at: 0 });
    return descriptor;
  };
  const of = (descriptor: number): Opened => {
    const it = opened.get(descriptor);
    if (it) return it;
    throw failure("EBADF", String(descriptor));
  };
  const fileOf = (descriptor: number): File => {
    const { node, path } = of(descriptor);
    if (node.kind === "file") return node;
    throw failure("EISDIR", path);
  };
  const change = (what: string): void => {
    onChange(what);
    if (disk.failsChange !== undefined) disk.failsChange -= 1;
    if (disk.failsChange === 0) throw failure("EIO", what);
  };
  const take = (bytes: number, path: string): void => {
    if (disk.room === undefined || bytes <= 0) return;
    if (disk.room < bytes) throw failure("ENOSPC", path);
    disk.room -= bytes;
  };
  const sync = (descriptor: number): void => {
    const { node, path } = of(descriptor);
    change(`sync ${path}`);
    if (disk.failsSync !== undefined) disk.failsSync -= 1;
    if (disk.failsSync === 0) throw failure("EIO", path);
    if (node.kind === "file") node.safe = node.live;
    else node.safe = new Map(node.live);
  };
  const statusOf = (path: string): FileStatus | undefined => {
    const node = find(root(), path);
    if (!node) return undefined;
    const changedMs = node.kind === "file" ? node.changedMs : 0;
    return { kind: node.kind, mode: node.mode, owner: user, changedMs };
  };
  return {
    create: (path) => {
      change(`create ${path}`);
      const parent = folderAt(dirname(path));
      const [name = ""] = partsOf(path).slice(-1);
      if (parent.live.has(name)) throw failure("EEXIST", path);
      take(64, path);
      const empty = Buffer.alloc(0);
      const file: File = { kind: "file", mode: 0o600, changedMs: now(), live: empty, safe: empty };
      parent.live.set(name, file);
      return open(file, path);
    },
    openWrite: (path) => open(fileAt(path), path),
    openFolder: (path) => open(folderAt(path), path),
    write: (descriptor, bytes, offset, at) => {
      const it = of(descriptor);
      change(`write ${it.path}`);
      const file = fileOf(descriptor);
      const from = at ?? it.at;
      const piece = bytes.subarray(offset);
      take(from + piece.length - file.live.length, it.path);
      const whole = Buffer.alloc(Math.max(file.live.length, from + piece.length));
      file.live.copy(whole);
      whole.set(piece, from);
      Object.assign(file, { live: whole, changedMs: now() });
      if (at === undefined) it.at = from + piece.length;
      return piece.length;
    },
    sync,
    syncData: sync,
    cut: (descriptor, size) => {
      change(`cut ${of(descriptor).path}`);
      const file = fileOf(descriptor);
      file.live = Buffer.from(file.live.subarray(0, size));
    },
    size: (descriptor) => fileOf(descriptor).live.length,
    close: (descriptor) => void opened.set(descriptor, of(descriptor)),
    read: (path) => {
      const text = system(path);
      return text === undefined ? Buffer.from(fileAt(path).live) : Buffer.from(text);
    },
    readPart: (path, offset, length) =>
      Buffer.from(fileAt(path).live.subarray(offset, offset + length)),
    rename: (from, to) => {
      change(`rename ${from} ${to}`);
      const node = find(root(), from);
      if (!node) throw failure("ENOENT", from);
      const there = find(root(), to);
      if (there?.kind === "folder" && there.live.size > 0) throw failure("ENOTEMPTY", to);
      folderAt(dirname(from)).live.delete(partsOf(from).at(-1) ?? "");
      folderAt(dirname(to)).live.set(partsOf(to).at(-1) ?? "", node);
    },
    remove: (path) => {
      change(`remove ${path}`);
      const parent = find(root(), dirname(path));
      const name = partsOf(path).at(-1) ?? "";
      if (parent?.kind !== "folder") return;
      const gone = parent.live.get(name);
      if (disk.room !== undefined && gone?.kind === "file") disk.room += gone.live.length;
      parent.live.delete(name);
    },
    list: (path) => [...folderAt(path).live.keys()],
    lstat: statusOf,
    stat: statusOf,
    readLink: (path) => {
      const text = system(path);
      if (text === undefined) throw failure("ENOENT", path);
      return text;
    },
    real: (path) => path,
    makeFolder: (path, mode) => {
      change(`folder ${path}`);
      let folder = root();
      for (const part of partsOf(path)) {
        const next = folder.live.get(part) ?? newFolder(mode);
        if (next.kind === "file") throw failure("ENOTDIR", path);
        folder.live.set(part, next);
        folder = next;
      }
    },
    changeMode: (path, mode) => {
      const node = find(root(), path);
      if (node) node.mode = mode;
    },
  };
};
