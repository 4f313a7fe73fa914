// Writes man/ and REFERENCE.md from what msg says of itself: `commands --json` holds commands, flags and topics.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { marked } from "marked";
import man from "marked-man";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const env = { ...process.env, MSG_CONFIG_DIR: "dist", MSG_STATE_DIR: "dist" };
const tree = JSON.parse(
  execFileSync(process.execPath, ["bin/msg.js", "commands", "--json"], { env }),
);

const plain = (text) => text.replace(/[\\`*_<>[\]]/g, "\\$&");
const code = (lines) => ["```", ...lines, "```"].join("\n");
const list = (items) => items.map(([term, text]) => `- \`${term}\`  \n  ${plain(text)}`).join("\n");
const section = (title, text) => (text === "" ? [] : [`## ${title}`, text]);
const pageOf = (command) => `msg-${command.replaceAll(" ", "-")}`;

const flagItem = ({ name, short, value, required, repeats, isOnByDefault, words }) => [
  `${short ? `-${short}, ` : ""}--${isOnByDefault ? "no-" : ""}${name}${value ? ` <${value}>` : ""}`,
  words + [required && " (required)", repeats && " (may be repeated)"].filter(Boolean).join(""),
];

const wordOf = ({ name, required, repeats }) => {
  const word = repeats ? `${name}…` : name;
  return required ? `<${word}>` : `[${word}]`;
};

const exits = list(Object.entries(tree.exitCodes).map(([name, number]) => [String(number), name]));

const commandPage = ({ command, summary, args, flags, needs, examples }) => ({
  file: `${pageOf(command)}.1`,
  text: [
    `# ${pageOf(command)}(1) -- ${summary}`,
    ...section("SYNOPSIS", `\`${["msg", command, ...args.map(wordOf), "[flags]"].join(" ")}\``),
    ...section("ARGUMENTS", list(args.map((it) => [it.name, it.words]))),
    ...section("OPTIONS", list(flags.map(flagItem))),
    ...section("EXAMPLES", code(examples)),
    ...section("NEEDS", plain(needs ?? "")),
    ...section("SEE ALSO", "**msg**(1) has the options and the exit status of every command."),
  ],
});

/** Lines that stand in are kept as they are; the others flow. */
const flowing = (text) =>
  text
    .match(/(^ .*\n?)+|(^[^ \n].*\n?)+/gm)
    .map((it) =>
      it.startsWith(" ") ? code(it.trimEnd().split("\n")) : plain(it.trim().replaceAll("\n", " ")),
    );

const topicPage = ([topic, text]) => {
  const [title, ...rest] = text.split("\n");
  const head = `# ${pageOf(topic)}(7) -- ${title.replace(/\.$/, "")}`;
  return {
    file: `${pageOf(topic)}.7`,
    text: [head, "## DESCRIPTION", ...flowing(rest.join("\n"))],
  };
};

const commands = tree.commands.map(commandPage);
const topics = Object.entries(tree.topics).map(topicPage);
const program = {
  file: "msg.1",
  text: [
    "# msg(1) -- Operate an account of a messaging service",
    ...section("SYNOPSIS", "`msg <command> [flags]`"),
    ...section("COMMANDS", list(tree.commands.map((it) => [`msg ${it.command}`, it.summary]))),
    ...section("OPTIONS", list(tree.globalFlags.map(flagItem))),
    ...section("EXIT STATUS", exits),
    ...section(
      "SEE ALSO",
      [...commands, ...topics].map((it) => it.file.replace(/\.(\d)$/, "($1)")).join(", "),
    ),
  ],
};
const pages = [program, ...commands, ...topics];

writeFileSync("REFERENCE.md", `${pages.flatMap((it) => it.text).join("\n\n")}\n`);
marked.use(man, { manVersion: version, manual: "msg" });
mkdirSync("man", { recursive: true });
for (const { file, text } of pages) writeFileSync(`man/${file}`, marked.parse(text.join("\n\n")));
