// dist/ → binary/msg: one file with Node in it, for this platform. The Node that runs this is the one that goes in.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const folder = "dist/binary";
const output = `${folder}/${process.platform === "win32" ? "msg.exe" : "msg"}`;
const [main, config] = [`${folder}/msg.cjs`, `${folder}/sea.json`];
mkdirSync(folder, { recursive: true });
await build({
  entryPoints: ["bin/msg.js"],
  outfile: main,
  bundle: true,
  platform: "node",
  external: ["libsql"],
});
const sea = { main, output, disableExperimentalSEAWarning: true, useCodeCache: true };
writeFileSync(config, JSON.stringify(sea));
execFileSync(process.execPath, ["--build-sea", config], { stdio: "inherit" });
// macOS runs nothing whose signature does not fit; this one is made on the spot and names no one.
if (process.platform === "darwin") execFileSync("codesign", ["--sign", "-", "--force", output]);
for (const it of [main, config]) rmSync(it);
