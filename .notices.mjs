// What is bundled: the licences that go with it (at each build) and a list for scanners (npm run -s sbom).
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const allowed = /^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|CC0-1\.0)$/;

/** The packages that bytes of the output come from; one that lies in another counts by itself. */
const packagesOf = ({ outputs }) => {
  const paths = Object.values(outputs).flatMap((it) => Object.keys(it.inputs));
  const folders = paths.flatMap((it) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(it)?.[0] ?? []);
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const texts = readdirSync(folder).filter((it) => /^(licen[cs]e|notice|copying)/i.test(it));
    const text = texts.map((it) => readFileSync(`${folder}/${it}`, "utf8").trim()).join("\n\n");
    return { ref: `${name}@${version}`, license, text };
  });
};

/** Ends a build with a package whose licence is not one of those allowed, or does not lie beside it. */
export const notices = {
  name: "notices",
  setup: ({ initialOptions, onEnd }) => {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      if (!metafile) return undefined;
      const packages = packagesOf(metafile);
      const line = "-".repeat(80);
      const sections = packages.map((it) => `${line}\n${it.ref} (${it.license})\n\n${it.text}\n`);
      writeFileSync(
        `${initialOptions.outdir}/THIRD-PARTY-NOTICES`,
        `Packages that msg contains.\n\n${sections.join("\n")}`,
      );
      writeFileSync(
        `${initialOptions.outdir}/bundled.json`,
        JSON.stringify(packages.map((it) => it.ref)),
      );
      const wrong = packages.filter((it) => !allowed.test(it.license) || it.text === "");
      return {
        errors: wrong.map((it) => ({
          text: `${it.ref} has no licence that msg may ship: ${it.license}`,
        })),
      };
    });
  },
};

/** npm takes what is bundled for tools of the development, and lists those beside it. */
const sbom = () => {
  const bundled = JSON.parse(readFileSync("dist/bundled.json", "utf8"));
  const all = JSON.parse(
    execFileSync("npm", ["sbom", "--sbom-format=cyclonedx"], { maxBuffer: 1e8 }),
  );
  const isShipped = ({ properties, "bom-ref": ref }) =>
    bundled.includes(ref) || !properties.some((it) => it.name === "cdx:npm:package:development");
  const components = all.components.filter(isShipped).map((it) => ({
    ...it,
    scope: bundled.includes(it["bom-ref"]) ? "required" : it.scope,
    properties: it.properties.filter((one) => one.name !== "cdx:npm:package:development"),
  }));
  const refs = new Set([all.metadata.component, ...components].map((it) => it["bom-ref"]));
  const dependencies = all.dependencies
    .filter((it) => refs.has(it.ref))
    .map((it) => ({ ...it, dependsOn: it.dependsOn.filter((ref) => refs.has(ref)) }));
  return { ...all, components, dependencies };
};

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${JSON.stringify(sbom(), null, 2)}\n`);
