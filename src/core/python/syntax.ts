/**
 * Python's syntax as plain data, as far as arithmetic on memory needs it. Lowered from the concrete
 * tree once; the interpreter, hovers and finders walk this and never the concrete tree. Types,
 * decorators' meaning and asynchronous control flow are left out.
 */
import type { PythonNumber } from '../units/pythonNumber';

/** A range of the file. Offsets and columns count UTF-16 units; rows and columns start at 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly row: number;
  readonly column: number;
  readonly endRow: number;
  readonly endColumn: number;
}

export type BinaryOperator =
  '+' | '-' | '*' | '/' | '//' | '%' | '**' | '<<' | '>>' | '&' | '|' | '^' | '@';

export type CompareOperator =
  '<' | '<=' | '>' | '>=' | '==' | '!=' | 'is' | 'is not' | 'in' | 'not in';

/** `{value!r:>10}` of an f-string; `debug` is the text that `{value=}` prints before the value. */
export interface Interpolation {
  readonly value: Expression;
  readonly conversion: 'r' | 's' | 'a' | undefined;
  readonly format: readonly StringPart[];
  readonly debug: string | undefined;
}

export type StringPart = string | Interpolation;

export interface Keyword {
  /** Undefined for `**value`. */
  readonly name: string | undefined;
  readonly value: Expression;
}

export interface ComprehensionClause {
  readonly kind: 'for' | 'if';
  /** The target of `for`; undefined for `if`. */
  readonly target: Expression | undefined;
  /** What `for` walks over, or what `if` tests. */
  readonly source: Expression;
}

export interface Parameter {
  readonly name: string;
  readonly kind: 'plain' | 'keyword-only' | 'positional-only' | 'rest' | 'keywords';
  readonly fallback: Expression | undefined;
  readonly annotation: Expression | undefined;
  readonly span: Span;
}

export type Expression = { readonly span: Span } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'number'; readonly value: PythonNumber }
  | { readonly kind: 'string'; readonly parts: readonly StringPart[] }
  | { readonly kind: 'constant'; readonly value: boolean | null }
  | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
  | { readonly kind: 'subscript'; readonly object: Expression; readonly index: Expression }
  | {
      readonly kind: 'slice';
      readonly lower: Expression | undefined;
      readonly upper: Expression | undefined;
      readonly step: Expression | undefined;
    }
  | {
      readonly kind: 'call';
      readonly callee: Expression;
      readonly positional: readonly Expression[];
      readonly keywords: readonly Keyword[];
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'unary';
      readonly operator: '-' | '+' | '~' | 'not';
      readonly operand: Expression;
    }
  | {
      readonly kind: 'boolean';
      readonly operator: 'and' | 'or';
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'compare';
      readonly first: Expression;
      readonly rest: readonly {
        readonly operator: CompareOperator;
        readonly operand: Expression;
      }[];
    }
  | {
      readonly kind: 'conditional';
      readonly test: Expression;
      readonly whenTrue: Expression;
      readonly whenFalse: Expression;
    }
  | { readonly kind: 'tuple' | 'list' | 'set'; readonly elements: readonly Expression[] }
  | {
      readonly kind: 'dict';
      /** A `**value` entry has no key. */
      readonly entries: readonly {
        readonly key: Expression | undefined;
        readonly value: Expression;
      }[];
    }
  | {
      readonly kind: 'comprehension';
      readonly form: 'list' | 'set' | 'dict' | 'generator';
      readonly element: Expression;
      /** The value of a dict comprehension. */
      readonly value: Expression | undefined;
      readonly clauses: readonly ComprehensionClause[];
    }
  | {
      readonly kind: 'lambda';
      readonly parameters: readonly Parameter[];
      readonly body: Expression;
    }
  | { readonly kind: 'walrus'; readonly name: string; readonly value: Expression }
  | { readonly kind: 'starred'; readonly value: Expression }
  /** Something that has no value here: `await`, `yield`, complex numbers, bytes. */
  | { readonly kind: 'unsupported' }
);

export interface ExceptClause {
  readonly exception: Expression | undefined;
  readonly name: string | undefined;
  readonly body: Block;
}

export interface MatchCase {
  /** The alternatives that are plain values; undefined for a pattern that is not read. */
  readonly values: readonly Expression[] | undefined;
  /** True for `_` or a bare name without a guard, which always matches. */
  readonly wildcard: boolean;
  readonly capture: string | undefined;
  readonly guard: Expression | undefined;
  readonly body: Block;
}

export type Block = readonly Statement[];

export type Statement = { readonly span: Span } & (
  | { readonly kind: 'expression'; readonly value: Expression }
  | {
      readonly kind: 'assign';
      readonly targets: readonly Expression[];
      readonly annotation: Expression | undefined;
      readonly value: Expression;
    }
  | {
      readonly kind: 'declare';
      readonly target: Expression;
      readonly annotation: Expression | undefined;
    }
  | {
      readonly kind: 'augment';
      readonly target: Expression;
      readonly operator: BinaryOperator;
      readonly value: Expression;
    }
  | {
      readonly kind: 'if';
      readonly test: Expression;
      readonly body: Block;
      readonly otherwise: Block;
    }
  | {
      readonly kind: 'for';
      readonly target: Expression;
      readonly iterable: Expression;
      readonly body: Block;
      readonly otherwise: Block;
    }
  | {
      readonly kind: 'while';
      readonly test: Expression;
      readonly body: Block;
      readonly otherwise: Block;
    }
  | {
      readonly kind: 'try';
      readonly body: Block;
      readonly handlers: readonly ExceptClause[];
      readonly otherwise: Block;
      readonly finalizer: Block;
    }
  | {
      readonly kind: 'with';
      readonly items: readonly {
        readonly value: Expression;
        readonly target: Expression | undefined;
      }[];
      readonly body: Block;
    }
  | { readonly kind: 'match'; readonly subject: Expression; readonly cases: readonly MatchCase[] }
  | { readonly kind: 'return'; readonly value: Expression | undefined }
  | { readonly kind: 'raise'; readonly exception: Expression | undefined }
  | {
      readonly kind: 'assert';
      readonly test: Expression;
      readonly message: Expression | undefined;
    }
  | { readonly kind: 'delete'; readonly targets: readonly Expression[] }
  | { readonly kind: 'pass' | 'break' | 'continue' }
  | { readonly kind: 'import'; readonly imports: readonly ImportedModule[] }
  | ({ readonly kind: 'import-from' } & ImportFrom)
  | { readonly kind: 'function'; readonly definition: FunctionDefinition }
  | { readonly kind: 'class'; readonly definition: ClassDefinition }
  /** The first statement that does not parse; nothing after it in its function is lowered. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'unsupported' }
);

/** `import a.b as c`: without `as`, `a` is bound. */
export interface ImportedModule {
  readonly module: string;
  readonly alias: string | undefined;
}

/** `from ..a import b as c, d`. */
export interface ImportFrom {
  /** Number of leading dots. */
  readonly level: number;
  readonly module: string;
  /** Undefined for `*`. */
  readonly names: readonly { readonly name: string; readonly alias: string }[] | undefined;
}

export interface FunctionDefinition {
  readonly name: string;
  /** With the classes and functions around it: `Shape.area`. */
  readonly qualifiedName: string;
  readonly parameters: readonly Parameter[];
  readonly decorators: readonly Expression[];
  readonly returns: Expression | undefined;
  /** Lowered at the first use. */
  readonly body: Block;
  readonly nameSpan: Span;
  readonly span: Span;
  /** The source of the whole function: the key under which results may be kept. */
  readonly text: string;
  /** True where a part of it does not parse. */
  readonly isBroken: boolean;
}

export interface ClassDefinition {
  readonly name: string;
  readonly qualifiedName: string;
  readonly bases: readonly Expression[];
  readonly decorators: readonly Expression[];
  readonly body: Block;
  readonly nameSpan: Span;
  readonly span: Span;
}
