/**
 * Imports of a file that lead nowhere: what its functions call from a module that no folder above the
 * file has. Libraries are not followed on purpose, so they are left out.
 */
import type { ModuleStore } from './moduleStore';
import type { SourceModule } from './sourceModule';
import { allExpressions } from './statementExpressions';
import type { Expression } from './syntax';

/** One module that could not be followed, as the source writes it (`..tools.probe`). */
export interface UnfollowedImport {
  readonly module: string;
  /** What is called of it, in the order of the text. */
  readonly names: readonly string[];
}

/**
 * `isLibrary` tells packages that nobody wants followed, by the first part of their name. Everything
 * that the file imports must have been asked for before.
 */
export function unfollowedImports(
  store: ModuleStore,
  module: SourceModule,
  isLibrary: (name: string) => boolean,
): readonly UnfollowedImport[] {
  const found = new Map<string, Set<string>>();
  for (const { definition } of module.functions()) {
    for (const expression of allExpressions(definition.body)) {
      const name = expression.kind === 'call' ? rootName(expression.callee) : undefined;
      const binding = name === undefined ? undefined : module.binding(name);
      if (name === undefined || (binding?.kind !== 'imported' && binding?.kind !== 'module')) {
        continue;
      }
      const level = binding.kind === 'imported' ? binding.level : 0;
      const [first = ''] = binding.module.split('.');
      const isOutside = level === 0 && isLibrary(first);
      if (!isOutside && store.resolve(module.path, level, binding.module, false) === undefined) {
        const written = '.'.repeat(level) + binding.module;
        found.set(written, (found.get(written) ?? new Set()).add(name));
      }
    }
  }
  return [...found].map(([written, names]) => ({ module: written, names: [...names] }));
}

/** `a` of `a(…)` and of `a.b(…)`. */
function rootName(expression: Expression): string | undefined {
  return expression.kind === 'name'
    ? expression.name
    : expression.kind === 'attribute'
      ? rootName(expression.object)
      : undefined;
}
