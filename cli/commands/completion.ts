import { Argument, type Command } from "commander";
import { command } from "../command.ts";

interface Words {
  /** The words of a command, such as `intents list`, or of an option in it that takes one of a few. */
  readonly after: string;
  readonly words: readonly string[];
}

const commandsOf = (parent: Command, path: readonly string[] = []): { path: string; command: Command }[] =>
  [{ path: path.join(" "), command: parent }].concat(
    parent.commands.flatMap((one) => commandsOf(one, [...path, one.name()])),
  );

const wordsOf = ({
  path,
  command: { commands, options, registeredArguments },
}: {
  path: string;
  command: Command;
}) => ({
  after: path,
  words: [
    ...commands.map((one) => one.name()),
    ...registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...options.flatMap(({ long }) => long ?? []),
    "--help",
  ],
});

const valuesOf = ({ path, command: { options } }: { path: string; command: Command }): Words[] =>
  options.flatMap(({ long, argChoices: words }) =>
    long == null || words === undefined ? [] : [{ after: `${path} ${long}`, words }],
  );

const branches = (all: readonly Words[]): string =>
  all.map(({ after, words }) => `    "${after}") words="${words.join(" ")}" ;;`).join("\n");

/** A script that completes the words of a command line. What it has no words for, such as a file, is left to the shell. */
function scriptOf(program: Command, shell: string): string {
  const all = commandsOf(program);
  const paths = all.flatMap(({ path }) => (path === "" ? [] : `"${path}"`));
  return `${shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : ""}_holdfast() {
  local word next path="" words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${paths.join("|")}) path="$next" ;;
    esac
  done
  case "$path" in
${branches(all.map(wordsOf))}
  esac
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${branches(all.flatMap(valuesOf))}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _holdfast holdfast
`;
}

export function addCompletion(program: Command): void {
  command(
    program,
    "completion",
    "Print a script that completes commands, options and their values.",
    "holdfast completion bash >> ~/.bashrc",
  )
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh"]))
    .action((shell: string) => void process.stdout.write(scriptOf(program, shell)));
}
