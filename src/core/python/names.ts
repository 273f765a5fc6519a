/** What names of modules stand for: definitions, constants, imports across the package. */
import type { Machine } from './machine';
import { PythonRaise, Stopped } from './machine';
import { builtinNamed } from './builtin';
import { evaluate } from './evaluate';
import { Scope } from './scope';
import type { ModuleBinding, SourceModule } from './sourceModule';
import type { Expression } from './syntax';
import type { ClassValue, Value } from './value';
import { opaque, rootPath } from './value';

/** A name as code of the module sees it: its top level, star imports, then built-ins. */
export function globalName(machine: Machine, module: SourceModule, name: string): Value {
  return exportedName(machine, module, name) ?? builtinNamed(name) ?? opaque(rootPath(name));
}

/** A name of the module's top level; undefined where it has none. */
export function exportedName(
  machine: Machine,
  module: SourceModule,
  name: string,
): Value | undefined {
  let values = machine.moduleValues.get(module);
  if (values === undefined) {
    values = new Map();
    machine.moduleValues.set(module, values);
    machine.reliance?.onFile(module);
  }
  const known = values.get(name);
  if (known !== undefined) {
    return known;
  }
  // Seen again while it is worked out, a name is unknown: a cycle of imports or of constants.
  values.set(name, opaque(rootPath(name)));
  const binding = module.binding(name);
  const value = machine.naming(() =>
    binding === undefined
      ? starName(machine, module, name)
      : boundValue(machine, module, name, binding),
  );
  if (value === undefined) {
    values.delete(name);
  } else {
    values.set(name, value);
  }
  return value;
}

function boundValue(
  machine: Machine,
  module: SourceModule,
  name: string,
  binding: ModuleBinding,
): Value {
  switch (binding.kind) {
    case 'function':
      return {
        kind: 'function',
        name,
        definition: binding.definition,
        module,
        owner: undefined,
        receiver: undefined,
        closure: undefined,
      };
    case 'class':
      return { kind: 'class', definition: binding.definition, module };
    case 'unclear':
      return opaque(rootPath(name));
    case 'value':
      return module.isRebound(name)
        ? opaque(rootPath(name))
        : moduleConstant(machine, module, name, binding.value);
    case 'module':
      return moduleNamed(machine, module, 0, binding.module);
    case 'imported':
      return importedName(machine, module, binding);
  }
}

function moduleConstant(
  machine: Machine,
  module: SourceModule,
  name: string,
  value: Expression,
): Value {
  const frame = {
    scope: new Scope(new Map(), undefined),
    module,
    definition: undefined,
    owner: undefined,
    receiver: undefined,
    depth: machine.options.limits.depth - 3,
    trace: undefined,
  };
  try {
    const found = evaluate(machine, frame, value);
    // The path of an unknown constant is its name: that is what code and tables speak of.
    if (found.kind === 'opaque') {
      return opaque(rootPath(name), { type: found.type, isObject: found.isObject });
    }
    if (found.kind === 'instance') {
      // What an object holds when its module is loaded says nothing of later.
      return opaque(rootPath(name), { type: found.type, isObject: true });
    }
    const isShared = found.kind === 'list' || found.kind === 'dict' || found.kind === 'set';
    if (isShared) {
      machine.reliance?.onAnswer(module, `changed ${name}`, one => String(one.isChanged(name)));
    }
    return isShared && module.isChanged(name) ? opaque(rootPath(name)) : found;
  } catch (error) {
    if (error instanceof PythonRaise || (error instanceof Stopped && error.reason === 'broken')) {
      return opaque(rootPath(name));
    }
    throw error;
  }
}

/** A module of the package, or the path of one outside it. */
export function moduleNamed(
  machine: Machine,
  from: SourceModule,
  level: number,
  name: string,
): Value {
  const module = findModule(machine, from, level, name);
  return module === undefined
    ? opaque({ text: name, steps: name.split('.') })
    : { kind: 'module', module };
}

function findModule(
  machine: Machine,
  from: SourceModule,
  level: number,
  name: string,
): SourceModule | undefined {
  return machine.store.resolve(from.path, level, name, machine.mayLoad);
}

/** `from module import name`. */
export function importedName(
  machine: Machine,
  from: SourceModule,
  { level, module, name }: { level: number; module: string; name: string },
): Value {
  const target = findModule(machine, from, level, module);
  const exported = target && exportedName(machine, target, name);
  if (exported !== undefined) {
    return exported;
  }
  const path = module === '' ? name : `${module}.${name}`;
  const submodule = target?.path.endsWith('/__init__.py') !== false;
  const inner = submodule ? findModule(machine, from, level, path) : undefined;
  return inner === undefined
    ? opaque({ text: name, steps: path.split('.') })
    : { kind: 'module', module: inner };
}

function starName(machine: Machine, module: SourceModule, name: string): Value | undefined {
  if (name.startsWith('_')) {
    return undefined;
  }
  for (const { level, module: source } of module.starImports) {
    const target = findModule(machine, module, level, source);
    const value = target && exportedName(machine, target, name);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

/** A name that an attribute of a module reads. */
export function moduleAttribute(machine: Machine, module: SourceModule, name: string): Value {
  const exported = exportedName(machine, module, name);
  if (exported !== undefined) {
    return exported;
  }
  const folder = module.path.endsWith('/__init__.py');
  const inner = folder ? machine.store.resolve(module.path, 1, name, machine.mayLoad) : undefined;
  return inner === undefined ? opaque(rootPath(name)) : { kind: 'module', module: inner };
}

/** The class that an annotation names: `C`, `m.C`, `'C'`, `Optional[C]`, `C | None`. */
export function annotatedClass(
  machine: Machine,
  module: SourceModule,
  annotation: Expression | undefined,
): ClassValue | undefined {
  switch (annotation?.kind) {
    case 'name': {
      const value = exportedName(machine, module, annotation.name);
      return value?.kind === 'class' ? value : undefined;
    }
    case 'attribute': {
      const owner =
        annotation.object.kind === 'name'
          ? exportedName(machine, module, annotation.object.name)
          : undefined;
      const value =
        owner?.kind === 'module' && moduleAttribute(machine, owner.module, annotation.name);
      return value && value.kind === 'class' ? value : undefined;
    }
    case 'string': {
      const [only] = annotation.parts;
      const name = typeof only === 'string' ? /^[\w]+$/.exec(only)?.[0] : undefined;
      return name === undefined
        ? undefined
        : annotatedClass(machine, module, { kind: 'name', name, span: annotation.span });
    }
    case 'subscript':
      return annotation.object.kind === 'name' && annotation.object.name === 'Optional'
        ? annotatedClass(machine, module, annotation.index)
        : undefined;
    case 'binary':
      return annotation.operator === '|'
        ? (annotatedClass(machine, module, annotation.left) ??
            annotatedClass(machine, module, annotation.right))
        : undefined;
    default:
      return undefined;
  }
}
