/** What the package costs to fetch and to keep, beside command-line tools of other services. */
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { output, type Row } from "../measure.ts";

/** Tools that come by npm as msg does; the Go tool and gh come as one binary. */
const peers = ["vercel", "wrangler"];

const Packed = v.tuple([v.object({ filename: v.string() })]);
const mebi = 2 ** 20;

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((it) => it.isFile())
    .reduce((sum, it) => sum + statSync(join(it.parentPath, it.name)).size, 0) / mebi;

export const size: Row = {
  id: "size",
  what: "the package of npm pack, and what npm install writes",
  run: async ({ folder }) => {
    const npm = (...args: string[]): Promise<string> => output({ file: "npm", args });
    const installed = async (spec: string, ...more: string[]): Promise<number> => {
      const into = join(folder, `${spec.replace(/\W/g, "")}${more.length}`);
      mkdirSync(into);
      await npm("install", "--prefix", into, "--no-audit", "--no-fund", ...more, spec);
      return sizeOf(into);
    };
    const [{ filename }] = v.parse(
      Packed,
      JSON.parse(await npm("pack", resolve(), "--json", "--pack-destination", folder)),
    );
    const tarball = join(folder, filename);
    const others: Record<string, number> = {};
    for (const name of peers)
      await installed(name).then(
        (found) => {
          others[name] = found;
        },
        // A mirror of the registry may lack one of their packages.
        () => undefined,
      );
    const medians = {
      msg: await installed(tarball),
      "msg without libsql": await installed(tarball, "--omit=optional"),
      ...others,
    };
    return [
      {
        what: "package",
        unit: "MiB",
        medians: { msg: statSync(tarball).size / mebi },
        subject: "msg",
        goals: [],
      },
      {
        what: "installed",
        unit: "MiB",
        medians,
        subject: "msg",
        goals: Object.keys(others).map((to) => ({ to, atMost: 0.5 })),
      },
    ];
  },
};
