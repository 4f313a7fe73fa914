// What stands before the tests: style, types and the build, side by side. What each of them says is
// shown in one piece; ends with 1 where one failed.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

const run = (script, ...args) =>
  new Promise((resolve) => {
    const said = [];
    const child = spawn(process.execPath, [`${root}${script}`, ...args], { cwd: root });
    child.stdin.end();
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => said.push(chunk));
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code === 0);
    });
  });

// What the compiler found out stays for the next time.
const kept = "node_modules/.cache/msg-types.tsbuildinfo";
const types = ["-p", ".", "--incremental", "--tsBuildInfoFile", kept];

const passed = await Promise.all([
  run("node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."),
  run("node_modules/typescript/bin/tsc", ...types),
  run(".build/build.mjs"),
]);
process.exitCode = passed.includes(false) ? 1 : 0;
