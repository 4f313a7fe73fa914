// prepack: what npm packs beside dist, under a manifest without what only a clone needs; postpack: back to the clone.
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

const clone = "dist/package.json";

if (process.argv[2] === "restore") {
  renameSync(clone, "package.json");
  for (const it of ["man", "REFERENCE.md", "THIRD-PARTY-NOTICES"]) rmSync(it, { recursive: true });
} else {
  await import("./.manual.mjs");
  cpSync("dist/THIRD-PARTY-NOTICES", "THIRD-PARTY-NOTICES");
  cpSync("package.json", clone);
  const { scripts, devDependencies, ...packed } = JSON.parse(readFileSync(clone, "utf8"));
  const man = readdirSync("man").map((it) => `man/${it}`);
  writeFileSync("package.json", `${JSON.stringify({ ...packed, man }, null, 2)}\n`);
}
