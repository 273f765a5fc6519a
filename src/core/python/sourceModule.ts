/**
 * One Python file: its tree, and what each name at its top level is bound to. Nothing is evaluated
 * here. Names that are bound in branches of a condition are kept apart, so that nobody picks one.
 */
import { LoweredBodies } from './loweredBodies';
import { StatementLowering } from './lowerStatement';
import { repairText } from './repairText';
import type { PythonParser, TextChange, Tree } from './parser';
import type { Block, ClassDefinition, Expression, FunctionDefinition, Statement } from './syntax';

/** What a top-level name stands for. */
export type ModuleBinding =
  | { readonly kind: 'function'; readonly definition: FunctionDefinition }
  | { readonly kind: 'class'; readonly definition: ClassDefinition }
  | { readonly kind: 'value'; readonly value: Expression }
  /** Bound by an assignment that unpacks, by a loop, or to one of several values. */
  | { readonly kind: 'unclear' }
  /** `import a.b as c`. */
  | { readonly kind: 'module'; readonly module: string }
  | {
      readonly kind: 'imported';
      readonly level: number;
      readonly module: string;
      readonly name: string;
    };

export interface StarImport {
  readonly level: number;
  readonly module: string;
}

/** A function with where it stands. */
export interface LocatedFunction {
  readonly definition: FunctionDefinition;
  /** The innermost class around it. */
  readonly owner: ClassDefinition | undefined;
}

/** An assignment to an attribute, found in the text. */
export interface AttributeAssignment {
  readonly offset: number;
  /** The last word before the point: `self`. */
  readonly owner: string;
  /** The class around it. */
  readonly type: ClassDefinition | undefined;
}

/** Counts them, so that each is another one. */
let brokenFunctions = 0;

/** A file as the interpreter sees it. `path` uses forward slashes. */
export class SourceModule {
  readonly path: string;
  readonly text: string;
  readonly #tree: Tree;
  readonly #parse: (text: string) => Tree;
  /** Stands in for the tree where the text has errors. */
  #repaired: Tree | undefined;
  readonly #bodies: LoweredBodies;
  /** Its `global` statements, in lines. */
  #rebinding: string | undefined;
  #statements: Block | undefined;
  #names: Map<string, ModuleBinding> | undefined;
  readonly #stars: StarImport[] = [];
  readonly #attributeAssignments = new Map<string, readonly AttributeAssignment[]>();
  #functions: readonly LocatedFunction[] | undefined;
  #frame: string | undefined;
  #code: Map<string, string> | undefined;
  #classes: readonly ClassDefinition[] | undefined;
  #comments: readonly (readonly [number, number])[] | undefined;

  /**
   * `parse` is asked for pieces of the text where it has errors; `before` is the file with
   * its text before an edit.
   */
  constructor(
    path: string,
    text: string,
    tree: Tree,
    parse: (text: string) => Tree,
    before?: SourceModule,
  ) {
    this.#bodies = new LoweredBodies(before === undefined ? undefined : before.#bodies);
    this.path = path;
    this.text = text;
    this.#tree = tree;
    this.#parse = parse;
  }

  get statements(): Block {
    this.#statements ??= this.#lower();
    return this.#statements;
  }

  #lower(): Block {
    const { rootNode } = this.#tree;
    if (!rootNode.hasError) {
      return new StatementLowering('', this.#bodies).definitions(rootNode);
    }
    const whole = new Map(
      rootNode
        .descendantsOfType('function_definition')
        .filter(({ hasError }) => !hasError)
        .map(node => [node.startPosition.row, node.endPosition.row]),
    );
    const repaired = repairText(
      this.text,
      (header, last) => (whole.get(header) ?? -1) >= last,
      part => this.#isValid(part),
    );
    const tree = this.#parse(repaired.text);
    this.#repaired = tree;
    return new StatementLowering('', this.#bodies, repaired).definitions(tree.rootNode);
  }

  #isValid(part: string): boolean {
    const tree = this.#parse(part);
    const { hasError } = tree.rootNode;
    tree.delete();
    return !hasError;
  }

  binding(name: string): ModuleBinding | undefined {
    return this.#index().get(name);
  }

  get starImports(): readonly StarImport[] {
    this.#index();
    return this.#stars;
  }

  /** Every function of the file, methods and nested functions of classes included. */
  functions(): readonly LocatedFunction[] {
    return (this.#functions ??= this.#findFunctions());
  }

  /** The code around the functions, with their names and the rebound ones of the module. */
  get frame(): string {
    if (this.#frame === undefined) {
      const pieces: string[] = [];
      let behind = 0;
      for (const { definition } of this.functions()) {
        const { span, qualifiedName } = definition;
        pieces.push(this.#codeBetween(behind, span.start), qualifiedName);
        behind = span.end;
      }
      const last = this.#codeBetween(behind, this.text.length);
      this.#frame = [...pieces, last, this.#reboundLines].join('\0');
    }
    return this.#frame;
  }

  /** The code of all functions of a qualified name, without comments. */
  codeOf(qualifiedName: string): string {
    if (this.#code === undefined) {
      this.#code = new Map();
      for (const { definition } of this.functions()) {
        const { qualifiedName: name } = definition;
        this.#code.set(name, `${this.#code.get(name) ?? ''}${this.codeIn(definition)}\0`);
      }
    }
    return this.#code.get(qualifiedName) ?? '';
  }

  /** The code of a function without comments; no other is the same as one that does not parse. */
  codeIn({ span, isBroken }: FunctionDefinition): string {
    return isBroken ? `${++brokenFunctions}` : this.#codeBetween(span.start, span.end);
  }

  /** A part of the text without comments, and without the lines that are nothing else. */
  #codeBetween(start: number, end: number): string {
    // Most functions have no comment.
    if (!this.text.slice(start, end).includes('#')) {
      return this.text.slice(start, end);
    }
    const pieces: string[] = [];
    let behind = start;
    for (const [from, to] of this.#commentsBetween(start, end)) {
      const line = this.text.lastIndexOf('\n', from - 1) + 1;
      const isWhole = this.text.slice(line, from).trim() === '';
      pieces.push(this.text.slice(behind, isWhole ? Math.max(behind, line) : from));
      behind = isWhole ? to + 1 : to;
    }
    return [...pieces, this.text.slice(behind, end)].join('');
  }

  #commentsBetween(start: number, end: number): readonly (readonly [number, number])[] {
    if (this.#comments === undefined) {
      const { rootNode } = this.#tree;
      // Where the text has errors, what looks like a comment may be something else.
      this.#comments = rootNode.hasError
        ? []
        : rootNode
            .descendantsOfType('comment')
            .map(({ startIndex, endIndex }) => [startIndex, endIndex]);
    }
    return this.#comments.filter(([from, to]) => start <= from && to <= end);
  }

  #findFunctions(): LocatedFunction[] {
    const found: LocatedFunction[] = [];
    const visit = (block: Block, owner: ClassDefinition | undefined): void => {
      for (const statement of block) {
        if (statement.kind === 'function') {
          found.push({ definition: statement.definition, owner });
        } else if (statement.kind === 'class') {
          visit(statement.definition.body, statement.definition);
        } else {
          nestedBlocks(statement).forEach(nested => visit(nested, owner));
        }
      }
    };
    visit(this.statements, undefined);
    return found;
  }

  /** True when some function rebinds the module's name. */
  isRebound(name: string): boolean {
    const lines = this.#reboundLines;
    return lines !== '' && new RegExp(`\\bglobal\\b[^\\n]*\\b${name}\\b`).test(lines);
  }

  get #reboundLines(): string {
    return (this.#rebinding ??= this.text.match(/\bglobal\b[^\n]*/g)?.join('\n') ?? '');
  }

  /** True when the file changes the collection that the module's name is bound to. */
  isChanged(name: string): boolean {
    return new RegExp(
      `\\b${name}(\\[[^\\]\\n]*\\]\\s*=[^=]|\\.(append|extend|insert|pop|add|update|remove|clear|setdefault)\\()`,
    ).test(this.text);
  }

  /** Where an attribute of this name is assigned, of whatever object. */
  attributeAssignments(name: string): readonly AttributeAssignment[] {
    let found = this.#attributeAssignments.get(name);
    if (found === undefined) {
      const pattern = new RegExp(
        `(\\w+|[\\])])\\.${name}\\b\\s*(?::[^=\\n]*)?(?:[-+*/%|&]|//|\\*\\*|<<|>>)?=(?!=)`,
        'g',
      );
      found = [...this.text.matchAll(pattern)].map(match => ({
        offset: match.index,
        owner: match[1] ?? '',
        type: this.#classAt(match.index),
      }));
      this.#attributeAssignments.set(name, found);
    }
    return found;
  }

  /** The classes of a qualified name; none for one within a function. */
  classesNamed(qualifiedName: string): readonly ClassDefinition[] {
    this.#classes ??= classesIn(this.statements);
    return this.#classes.filter(one => one.qualifiedName === qualifiedName);
  }

  /** The qualified name of the function around an offset; empty outside of all. */
  functionAt(offset: number): string {
    const found = this.functions().find(
      ({ definition: { span } }) => span.start <= offset && offset < span.end,
    );
    return found?.definition.qualifiedName ?? '';
  }

  #classAt(offset: number): ClassDefinition | undefined {
    for (const statement of this.statements) {
      const { span } = statement;
      if (statement.kind === 'class' && offset >= span.start && offset < span.end) {
        return statement.definition;
      }
    }
    return undefined;
  }

  /** The tree of the text after changes; this file must not be lowered any further. */
  reparse(parser: PythonParser, text: string, changes: readonly TextChange[]): Tree {
    return parser.reparse(this.#tree, this.text, text, changes);
  }

  dispose(): void {
    this.#tree.delete();
    this.#repaired?.delete();
  }

  #index(): Map<string, ModuleBinding> {
    if (this.#names === undefined) {
      this.#names = new Map();
      this.#indexBlock(this.statements, false);
    }
    return this.#names;
  }

  #bind(name: string, binding: ModuleBinding, conditional: boolean): void {
    const before = this.#names?.get(name);
    this.#names?.set(name, conditional && before !== undefined ? merge(before, binding) : binding);
  }

  #indexBlock(block: Block, conditional: boolean): void {
    for (const statement of block) {
      switch (statement.kind) {
        case 'function':
        case 'class':
          this.#bind(
            statement.definition.name,
            { kind: statement.kind, definition: statement.definition } as ModuleBinding,
            conditional,
          );
          break;
        case 'assign':
          for (const target of statement.targets) {
            this.#bindTarget(target, { kind: 'value', value: statement.value }, conditional);
          }
          break;
        case 'augment':
          this.#bindTarget(statement.target, { kind: 'unclear' }, conditional);
          break;
        case 'for':
          this.#bindTarget(statement.target, { kind: 'unclear' }, conditional);
          break;
        case 'import':
          for (const { module, alias } of statement.imports) {
            const first = module.split('.')[0] ?? module;
            this.#bind(
              alias ?? first,
              { kind: 'module', module: alias === undefined ? first : module },
              conditional,
            );
          }
          break;
        case 'import-from':
          this.#indexImport(statement, conditional);
          break;
        default:
          break;
      }
      const certain = statement.kind === 'if' && isTypeChecking(statement.test);
      nestedBlocks(statement).forEach(nested => this.#indexBlock(nested, conditional || !certain));
    }
  }

  #indexImport(statement: Statement & { kind: 'import-from' }, conditional: boolean): void {
    const { level, module, names } = statement;
    if (names === undefined) {
      this.#stars.push({ level, module });
      return;
    }
    for (const { name, alias } of names) {
      this.#bind(alias, { kind: 'imported', level, module, name }, conditional);
    }
  }

  #bindTarget(target: Expression, binding: ModuleBinding, conditional: boolean): void {
    if (target.kind === 'name') {
      this.#bind(target.name, binding, conditional);
    } else if (target.kind === 'tuple' || target.kind === 'list') {
      target.elements.forEach(element =>
        this.#bindTarget(element, { kind: 'unclear' }, conditional),
      );
    }
  }
}

/** Blocks that run at the level of the statement: not those of functions and classes. */
export function nestedBlocks(statement: Statement): readonly Block[] {
  switch (statement.kind) {
    case 'if':
    case 'for':
    case 'while':
      return [statement.body, statement.otherwise];
    case 'try':
      return [
        statement.body,
        ...statement.handlers.map(handler => handler.body),
        statement.otherwise,
        statement.finalizer,
      ];
    case 'with':
      return [statement.body];
    case 'match':
      return statement.cases.map(one => one.body);
    default:
      return [];
  }
}

/** The classes of a block, those within others included. */
function classesIn(block: Block): ClassDefinition[] {
  return block.flatMap(statement => [
    ...(statement.kind === 'class'
      ? [statement.definition, ...classesIn(statement.definition.body)]
      : []),
    ...nestedBlocks(statement).flatMap(classesIn),
  ]);
}

function isTypeChecking(test: Expression): boolean {
  return (
    (test.kind === 'name' && test.name === 'TYPE_CHECKING') ||
    (test.kind === 'attribute' && test.name === 'TYPE_CHECKING')
  );
}

/** `try: import x` with `except ImportError: x = None` means the import; other pairs are unclear. */
function merge(before: ModuleBinding, after: ModuleBinding): ModuleBinding {
  const isNothing = (binding: ModuleBinding): boolean =>
    binding.kind === 'value' &&
    binding.value.kind === 'constant' &&
    !(binding.value.value ?? false);
  const isImport = (binding: ModuleBinding): boolean =>
    binding.kind === 'imported' || binding.kind === 'module';
  if (isImport(before) && isNothing(after)) {
    return before;
  }
  return isImport(after) && isNothing(before) ? after : { kind: 'unclear' };
}
