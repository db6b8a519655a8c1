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

/** Redirections of a statement around this one; they belong to its last command and are read there. */
type Pending = readonly SyntaxNode[];

const visitList = (node: SyntaxNode, collector: Collector, scope: Scope, pending: Pending): Feed => {
  const [left, right] = node.children.filter(({ isNamed, type }) => isNamed && type !== "comment");
  const operator = node.children.find(({ type }) => type === "&&" || type === "||")?.type;
  if (left) collector.visit(left, scope);
  if (!right) return {};
  if (operator !== "&&") {
    const branch = fork(scope);
    collector.visit(right, branch, pending);
    joinBranches(scope, [branch]);
    return {};
  }
  const { cwd } = scope;
  const before = new Map(scope.variables);
  const output = collector.visit(right, scope, pending);
  for (const [name, value] of scope.variables)
    if (before.get(name) !== value) scope.doubtful = [...(scope.doubtful ?? []), name];
  if (scope.cwd !== cwd) scope.hasDoubtfulFolder = true;
  return output && {};
};

const visitPipeline = (node: SyntaxNode, collector: Collector, scope: Scope, pending: Pending): Feed => {
  const members = node.children.filter(({ isNamed, type }) => isNamed && type !== "comment");
  let output: Feed = {};
  members.forEach((member, index) => {
    const stdin = index === 0 ? scope.stdin : { ...output, isPiped: true };
    const isMixed = node.children.some(({ type, end }) => type === "|&" && end <= member.start);
    // Each part is a shell of its own: what it sets does not last.
    const own = fork(scope, { stdin: isMixed ? { isPiped: true } : stdin });
    output = collector.visit(member, own, index === members.length - 1 ? pending : []);
  });
  return output;
};

const visitRedirected = (node: SyntaxNode, collector: Collector, scope: Scope, outer: Pending): Feed => {
  const pending = [...node.children.filter(isRedirect), ...outer];
  const body = node.children.find(({ field }) => field === "body");
  return body ? collector.visit(body, scope, pending) : visitAlone(undefined, collector, scope, pending);
};

/** One statement that is neither list nor pipeline, with the redirections that belong to it. */
const visitAlone = (node: SyntaxNode | undefined, collector: Collector, scope: Scope, pending: Pending): Feed => {
  const tail = noTail();
  const later = pending.flatMap((redirection) => redirect(redirection, collector, scope, tail));
  let output: Feed = {};
  if (node?.type === "command") output = visitCommand(node, collector, scope, tail);
  else {
    if (node) output = visitBody(node, collector, scope, tail);
    // Words behind a target belong to the command in front; where there is none they are the command.
    if (node && tail.words.length > 0)
      collector.note("P3", "words behind a redirection stand apart from their command");
    addCommand(tail.words, [], collector, fork(scope), true);
  }
  // What stands behind a here-document's marker goes on with the command's output.
  for (const statement of later) {
    const stdin = statement.type === "pipeline" ? { ...output, isPiped: true } : scope.stdin;
    output = collector.visit(statement, fork(scope, { stdin }));
  }
  return tail.isSilent ? {} : output;
};

const keywords: ReadonlySet<string> = new Set(
  "if then elif else fi while until for in do done case esac select function coproc { } ! [[ ]] ((".split(" "),
);

const visitCommand = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail): Feed => {
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

const visitBody = (node: SyntaxNode, collector: Collector, scope: Scope, tail: Tail): Feed => {
  const own = tail.stdin ? { ...scope, stdin: tail.stdin } : scope;
  const output = visitNode(node, collector, own);
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

const visitStatement = (node: SyntaxNode, collector: Collector, scope: Scope, pending: Pending): Feed => {
  switch (node.type) {
    case "list":
      return visitList(node, collector, scope, pending);
    case "pipeline":
      return visitPipeline(node, collector, scope, pending);
    case "redirected_statement":
      return visitRedirected(node, collector, scope, pending);
    case "negated_command":
      for (const child of node.children.filter(({ isNamed }) => isNamed)) collector.visit(child, scope, pending);
      return {};
    default:
      return visitAlone(node, collector, scope, pending);
  }
};

const visitNode = (node: SyntaxNode, collector: Collector, scope: Scope): Feed => {
  switch (node.type) {
    case "program":
    case "do_group":
      return visitStatements(node.children, collector, scope);
    case "compound_statement":
      return visitGroup(node, collector, scope);
    case "subshell":
      return visitStatements(node.children, collector, fork(scope));
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
    visit: (node, scope, pending = []) => visitStatement(node, collector, scope, pending),
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
