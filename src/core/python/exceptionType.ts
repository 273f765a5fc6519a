/** The built-in exceptions that code here meets, and what `except` catches. */
import type { ExceptionValue, Value } from './value';

/** Base classes of the built-in exceptions that code here meets. */
const exceptionBases: Readonly<Record<string, string | undefined>> = {
  BaseException: undefined,
  Exception: 'BaseException',
  ArithmeticError: 'Exception',
  ZeroDivisionError: 'ArithmeticError',
  OverflowError: 'ArithmeticError',
  AssertionError: 'Exception',
  AttributeError: 'Exception',
  ImportError: 'Exception',
  ModuleNotFoundError: 'ImportError',
  LookupError: 'Exception',
  IndexError: 'LookupError',
  KeyError: 'LookupError',
  NameError: 'Exception',
  OSError: 'Exception',
  MemoryError: 'Exception',
  RuntimeError: 'Exception',
  NotImplementedError: 'RuntimeError',
  StopIteration: 'Exception',
  TypeError: 'Exception',
  ValueError: 'Exception',
};

export function exceptionNamed(name: string): boolean {
  return Object.hasOwn(exceptionBases, name);
}

/** The exception that `raise value` raises. */
export function exceptionOf(value: Value | undefined): ExceptionValue {
  switch (value?.kind) {
    case 'exception':
      return value;
    case 'builtin':
      return { kind: 'exception', name: value.name, message: undefined };
    case 'class':
      return { kind: 'exception', name: value.definition.name, message: undefined };
    default:
      return { kind: 'exception', name: 'Exception', message: undefined };
  }
}

/** Whether `except pattern` catches it. Classes of the source are matched by name. */
export function exceptionMatches(exception: ExceptionValue, pattern: Value): boolean {
  if (pattern.kind === 'tuple') {
    return pattern.items.some(item => exceptionMatches(exception, item));
  }
  const name =
    pattern.kind === 'builtin'
      ? pattern.name
      : pattern.kind === 'class'
        ? pattern.definition.name
        : undefined;
  for (let at: string | undefined = exception.name; at !== undefined; at = exceptionBases[at]) {
    if (at === name) {
      return true;
    }
  }
  return name === 'Exception' || name === 'BaseException';
}
