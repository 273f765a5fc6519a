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
  functions(): LocatedFunction[] {
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
    this.#rebinding ??= this.text.match(/\bglobal\b[^\n]*/g)?.join('\n') ?? '';
    return (
      this.#rebinding !== '' && new RegExp(`\\bglobal\\b[^\\n]*\\b${name}\\b`).test(this.#rebinding)
    );
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
