// Programs that take over a terminal are answered with a hint before they start.
import { expect, it } from "vitest";
import { loadShellAnalyser } from "../../../../src/permissions/bash/index.js";
import { createBash } from "../../../../src/tools/bash/index.js";
import { terminalHint } from "../../../../src/tools/bash/needs-terminal.js";
import { openWorkspace } from "../../../helpers/tool-workspace.js";

const hint = async (command: string): Promise<string | undefined> =>
  terminalHint((await loadShellAnalyser())(command, { cwd: "/p", workingDirs: ["/p"], home: "/h", env: {} }));

it.each([
  "vim x.txt",
  "echo hi | vim -",
  "cd a && EDITOR=x timeout 5 sudo -u me /usr/bin/vim +12 'a b'",
  "if true; then nvim a; fi",
  "bash -c 'vi a'",
  "find . -name x -exec vim {} +",
  "ls | xargs nano",
  "watch -n1 date",
  "nohup watch ls &",
  "emacs -nw a",
  "htop",
  "top",
  "tmux",
  "tmux attach -t a",
  "tmux -L s new-session -s a",
  "screen",
  "ls | fzf",
  "mc",
  "crontab -e",
  "sudo visudo",
  "git -C a mergetool",
  "git difftool -y",
  "GIT_EDITOR=vim git commit",
])("F082 %j is not started", async (command) => {
  expect(await hint(command)).toMatch(/^Nothing ran: .* needs a terminal .*Instead, /);
});

it.each([
  "vim --version",
  "vim -es -c '%s/a/b/' -c wq f",
  "vim -e -s f < script.vim",
  "nvim --headless +PlugInstall +qa",
  'vim -c "normal dd" -c ":wq" f',
  "echo vim x; which vim; man vim; apt-get install -y vim nano watch",
  "cat <<X\nvim a\nX",
  "npm run watch; tsc --watch; ./watch; node top.js",
  "watch() { echo a; }; watch",
  "top -b -n 1",
  "top -bn1",
  "ps aux | grep -c top",
  "tmux new-session -d -s a vim",
  "tmux send-keys -t a 'vim x' Enter; tmux capture-pane -p",
  "tmux ls",
  "screen -dmS a top",
  "screen -ls",
  "script -qc 'vim a' /dev/null < keys",
  "emacs --batch -l a.el",
  "ls | fzf --filter a",
  "crontab -l",
  "visudo -c",
  "git commit; git rebase -i HEAD~1; git log --grep mergetool",
  "GIT_EDITOR=true git commit --amend",
  "GIT_SEQUENCE_EDITOR='sed -i s/pick/drop/' git rebase -i HEAD~2",
])("F082 %j is left alone", async (command) => {
  expect(await hint(command)).toBeUndefined();
});

it("F082 the call is refused without a question, and a command typed by the person ends with the hint too", async () => {
  const space = openWorkspace();
  const bash = createBash();
  expect(await bash.validate({ command: "vim q" }, space.context)).toContain("vim needs a terminal");
  const typed = await bash.call({ command: "vim q" }, space.context, () => undefined);
  expect(typed).toMatchObject({ isError: true, content: expect.stringContaining("vim needs a terminal") });
  await space.close();
});
