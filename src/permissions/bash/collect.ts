// Walks the whole syntax tree and collects every command at every depth, in the order the shell would meet them.
import type { ShellAnalysis, ShellContext } from "./analysis.js";
import { type Assignment, assign, readAssignment, visitDeclaration } from "./assignments.js";
import { checkText, checkTree } from "./checks/index.js";
import { type Collector, markOpaque, maxTextDepth, type Tail } from "./collector.js";
import { addCommand } from "./command.js";
import { visitCase, visitFor, visitIf, visitLoop, visitTest } from "./compound.js";
import { evaluateWords } from "./evaluate.js";
import type { ShellParser, SyntaxNode } from "./parse.js";
import { isRedirect, redirect } from "./redirects.js";
import { type Feed, fork, joinBranches, type Scope } from "./scope.js";
import { visitStatements } from "./statements.js";
import { sliceOf } from "./walk.js";

const noTail = (): Tail => ({ words: [], isSilent: false });

const visitList = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail | undefined): Feed => {
  const [left, right] = node.children.filter(({ isNamed, type }) => isNamed && type !== "comment");
  const operator = node.children.find(({ type }) => type === "&&" || type === "||")?.type;
  if (left) collector.visit(left, scope);
  if (!right) return {};
  if (operator !== "&&") {
    const branch = fork(scope);
    collector.visit(right, branch, tail);
    joinBranches(scope, [branch]);
    return {};
  }
  const { cwd } = scope;
  const before = new Map(scope.variables);
  const output = collector.visit(right, scope, tail);
  for (const [name, value] of scope.variables)
    if (before.get(name) !== value) scope.doubtful = [...(scope.doubtful ?? []), name];
  if (scope.cwd !== cwd) scope.hasDoubtfulFolder = true;
  return output && {};
};

const visitPipeline = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail | undefined): Feed => {
  const members = node.children.filter(({ isNamed, type }) => isNamed && type !== "comment");
  let output: Feed = {};
  members.forEach((member, index) => {
    const stdin = index === 0 ? scope.stdin : { ...output, isPiped: true };
    const isMixed = node.children.some(({ type, end }) => type === "|&" && end <= member.start);
    // Each part is a shell of its own: what it sets does not last.
    const own = fork(scope, { stdin: isMixed ? { isPiped: true } : stdin });
    output = collector.visit(member, own, index === members.length - 1 ? tail : undefined);
  });
  return output;
};

/** The statement that redirections behind a list or pipeline belong to. */
const lastOf = (node: SyntaxNode | undefined): SyntaxNode | undefined => {
  if (node?.type !== "pipeline" && node?.type !== "list" && node?.type !== "negated_command") return node;
  return lastOf(node.children.filter(({ isNamed, type }) => isNamed && type !== "comment").at(-1));
};

const visitRedirected = (node: SyntaxNode, collector: Collector, scope: Scope, outer: Tail | undefined): Feed => {
  const tail: Tail = outer ? { ...outer, words: [...outer.words] } : noTail();
  const later: SyntaxNode[] = [];
  const body = node.children.find(({ field }) => field === "body");
  for (const child of node.children.filter(isRedirect)) later.push(...redirect(child, collector, scope, tail));
  const output = body ? collector.visit(body, scope, tail) : {};
  // Words behind a target belong to the command in front; where there is none they are the command.
  if (tail.words.length > 0 && lastOf(body)?.type !== "command") {
    if (body) collector.note("P3", "words behind a redirection stand apart from their command");
    addCommand(tail.words, [], collector, fork(scope), true);
  }
  // What stands behind a here-document's marker goes on with the command's output.
  let flowing = output;
  for (const statement of later) {
    const isPipe =
      statement.type === "pipeline" || node.children.some(({ children }) => children.some(({ type }) => type === "|"));
    flowing = collector.visit(statement, isPipe ? fork(scope, { stdin: { ...flowing, isPiped: true } }) : fork(scope));
  }
  return tail.isSilent ? {} : flowing;
};

const keywords: ReadonlySet<string> = new Set(
  "if then elif else fi while until for in do done case esac select function coproc { } ! [[ ]] ((".split(" "),
);

const visitCommand = (node: SyntaxNode, collector: Collector, scope: Scope, outer: Tail | undefined): Feed => {
  const tail: Tail = outer ? { ...outer, words: [...outer.words] } : noTail();
  const assignments: Assignment[] = [];
  const words = [];
  for (const child of node.children) {
    if (child.type === "variable_assignment") assignments.push(readAssignment(child, collector, scope));
    else if (isRedirect(child)) redirect(child, collector, scope, tail);
    else if (child.isNamed && child.type !== "comment") words.push(...evaluateWords(child, collector, scope));
    else if (!child.isNamed && child.field === "argument") words.push(...evaluateWords(child, collector, scope));
  }
  words.push(...tail.words);
  // A bare keyword is never a program: the parser has read the text differently from bash.
  if (words[0] && keywords.has(words[0].written))
    collector.note("P3", `${words[0].written} is a keyword, not a command`);
  if (words.length === 0) for (const assignment of assignments) assign(assignment, collector, scope);
  const isPiped = scope.stdin?.isPiped === true && tail.stdin === undefined;
  const own = tail.stdin ? { ...scope, stdin: tail.stdin } : scope;
  const output = addCommand(words, assignments, collector, own, isPiped || tail.stdin?.text !== undefined);
  if (own !== scope) Object.assign(scope, { ...own, stdin: scope.stdin });
  return tail.isSilent ? {} : output;
};

const visitFunction = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  const name = node.children.find(({ field }) => field === "name");
  if (name) scope.shadowed.add(sliceOf(collector, name));
  collector.note("D3", "a function is defined");
  const body = node.children.find(({ field }) => field === "body");
  if (body) collector.visit(body, fork(scope, { cwd: undefined }));
  return {};
};

const visitBody = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail | undefined): Feed => {
  const own = tail?.stdin ? { ...scope, stdin: tail.stdin } : scope;
  const output = visitNode(node, collector, own, tail);
  if (own !== scope) Object.assign(scope, { ...own, stdin: scope.stdin });
  return output;
};

const visitGroup = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  if (node.children[0]?.type === "((") {
    collector.note("E3", "(( )) evaluates text as arithmetic");
    visitAll(node.children, collector, scope);
    return {};
  }
  return visitStatements(node.children, collector, scope);
};

/** Looks into nodes of no known meaning, so that deny rules see what is inside. */
const visitAll = (nodes: readonly SyntaxNode[], collector: Collector, scope: Scope): void => {
  for (const node of nodes)
    if (statementTypes.has(node.type)) collector.visit(node, fork(scope));
    else if (node.type === "command_substitution" || node.type === "process_substitution")
      collector.substitute(node, scope);
    else visitAll(node.children, collector, scope);
};

const statementTypes: ReadonlySet<string> = new Set(
  (
    "list pipeline redirected_statement command declaration_command unset_command variable_assignment variable_assignments " +
    "subshell compound_statement do_group if_statement while_statement for_statement c_style_for_statement case_statement " +
    "function_definition negated_command test_command program"
  ).split(" "),
);

const visitNode = (node: SyntaxNode, collector: Collector, scope: Scope, tail?: Tail): Feed => {
  switch (node.type) {
    case "program":
    case "do_group":
      return visitStatements(node.children, collector, scope);
    case "compound_statement":
      return visitGroup(node, collector, scope);
    case "subshell":
      return visitStatements(node.children, collector, fork(scope));
    case "negated_command":
      visitAllStatements(node, collector, scope, tail);
      return {};
    case "list":
      return visitList(node, collector, scope, tail);
    case "pipeline":
      return visitPipeline(node, collector, scope, tail);
    case "redirected_statement":
      return visitRedirected(node, collector, scope, tail);
    case "command":
      return visitCommand(node, collector, scope, tail);
    case "variable_assignment":
      assign(readAssignment(node, collector, scope), collector, scope);
      return {};
    case "variable_assignments":
      for (const child of node.children.filter(({ isNamed }) => isNamed)) visitNode(child, collector, scope);
      return {};
    case "declaration_command":
    case "unset_command":
      visitDeclaration(node, collector, scope);
      return {};
    case "test_command":
      return visitTest(node, collector, scope);
    case "if_statement":
      return visitIf(node, collector, scope);
    case "while_statement":
      return visitLoop(node, collector, scope);
    case "for_statement":
      return visitFor(node, collector, scope);
    case "c_style_for_statement":
      collector.note("E3", "a C-style loop evaluates text as arithmetic");
      visitAll(node.children, collector, scope);
      return {};
    case "case_statement":
      return visitCase(node, collector, scope);
    case "function_definition":
      return visitFunction(node, collector, scope);
    case "comment":
      return {};
    default:
      collector.note("P2", `${node.type} is not part of the accepted syntax`);
      visitAll(node.children, collector, scope);
      return {};
  }
};

const visitAllStatements = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail | undefined): void => {
  for (const child of node.children.filter(({ isNamed }) => isNamed)) collector.visit(child, scope, tail);
};

const compound: ReadonlySet<string> = new Set(
  "subshell compound_statement if_statement while_statement for_statement c_style_for_statement case_statement test_command".split(
    " ",
  ),
);

const substitute = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  const text = sliceOf(collector, node).trimStart();
  if (text.startsWith("`") && text.includes("\\")) markOpaque(collector, "P2", "backslashes inside backticks");
  const [redirection] = node.children.filter(({ isNamed, type }) => isNamed && type !== "comment");
  const own = fork(scope, { stdin: undefined });
  if (redirection && isRedirect(redirection)) {
    redirect(redirection, collector, own, noTail());
    return {};
  }
  return visitStatements(node.children, collector, own);
};

/** What these checks find may hide commands from the walk. */
const hidesCommands: ReadonlySet<string> = new Set(["P1", "P2", "P3", "E2", "E3"]);

const makeCollector = (source: string, context: ShellContext, parse: ShellParser, outer?: Collector): Collector => {
  const collector: Collector = {
    source,
    context,
    parts: outer?.parts ?? [],
    redirections: outer?.redirections ?? [],
    findings: outer?.findings ?? [],
    get isOpaque() {
      return outer?.isOpaque ?? state.isOpaque;
    },
    set isOpaque(value) {
      if (outer) outer.isOpaque = value;
      else state.isOpaque = value;
    },
    depth: (outer?.depth ?? -1) + 1,
    note: (check, text) => {
      if (hidesCommands.has(check)) collector.isOpaque = true;
      if (!collector.findings.some((found) => found.check === check && found.text === text))
        collector.findings.push({ check, text });
    },
    substitute: (node, scope) => substitute(node, collector, scope),
    visit: (node, scope, tail) =>
      compound.has(node.type) ? visitBody(node, collector, scope, tail) : visitNode(node, collector, scope, tail),
    visitText: (text, scope) => {
      if (collector.depth >= maxTextDepth) markOpaque(collector, "P1", "shell text nested too deep");
      else walkText(makeCollector(text, context, parse, collector), parse, fork(scope, { stdin: undefined }));
    },
  };
  const state = { isOpaque: false };
  return collector;
};

const walkText = (collector: Collector, parse: ShellParser, scope: Scope): void => {
  const tree = parse(collector.source);
  checkTree(tree, collector);
  collector.visit(tree, scope);
};

/** Analyses one command text. */
export const analyse = (command: string, context: ShellContext, parse: ShellParser): ShellAnalysis => {
  const collector = makeCollector(command, context, parse);
  const refusal = checkText(command, collector);
  if (!refusal)
    walkText(collector, parse, {
      cwd: context.cwd,
      hasMoved: false,
      variables: new Map(),
      shadowed: new Set(),
      stdin: undefined,
    });
  const { parts, redirections, findings, isOpaque } = collector;
  return { parts, redirections, findings, isOpaque, wholeText: command, ...(refusal ? { refusal } : {}) };
};
