/** Binds arguments to parameters by Python's rules. */
import { evaluate } from './evaluate';
import type { Frame, Machine } from './machine';
import { annotatedClass } from './names';
import { Scope } from './scope';
import type { Parameter } from './syntax';
import type { FunctionValue, Value } from './value';
import { opaque, text } from './value';

/**
 * False where the arguments do not fit: then the callee is not the one that Python would call, as
 * code that was released fits.
 */
export function bindArguments(
  machine: Machine,
  frame: Frame,
  callee: FunctionValue,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
): boolean {
  const { names } = frame.scope;
  const { parameters } = callee.definition;
  const left = [...positional];
  const unused = new Map(named);
  for (const parameter of parameters) {
    const { name, kind } = parameter;
    if (kind === 'rest') {
      names.set(name, { kind: 'tuple', items: left.splice(0) });
      continue;
    }
    if (kind === 'keywords') {
      const entries = new Map(
        [...unused].map(([key, value]) => [`s${key}`, [text(key), value] as const]),
      );
      unused.clear();
      names.set(name, { kind: 'dict', id: machine.allocate({ kind: 'entries', entries }) });
      continue;
    }
    const byName = kind === 'positional-only' ? undefined : unused.get(name);
    const value = kind === 'keyword-only' || left.length === 0 ? byName : left.shift();
    unused.delete(name);
    if (value !== undefined) {
      names.set(name, value);
    } else if (parameter.fallback !== undefined) {
      const outer = { ...frame, scope: new Scope(new Map(), callee.closure), trace: undefined };
      names.set(name, evaluate(machine, outer, parameter.fallback));
    } else {
      return false;
    }
  }
  return left.length === 0 && unused.size === 0;
}

/**
 * Parameters of a function that nobody called. `prefix` tells them from names of the function that
 * is looked at.
 */
export function bindUnknown(
  machine: Machine,
  frame: Frame,
  parameters: readonly Parameter[],
  receiver: Value | undefined,
  prefix = '',
): void {
  parameters.forEach((parameter, at) => {
    frame.scope.names.set(
      parameter.name,
      at === 0 && receiver !== undefined
        ? receiver
        : opaque(
            { text: prefix + parameter.name, steps: [parameter.name] },
            {
              type: annotatedClass(machine, frame.module, parameter.annotation),
            },
          ),
    );
  });
}
