/** Lowers import statements. */
import type { Node } from './parser';
import type { ImportFrom } from './syntax';

/** The modules of `import a.b as c, d`. */
export function lowerImports(node: Node): { module: string; alias: string | undefined }[] {
  return node.childrenForFieldName('name').map(name =>
    name.type === 'aliased_import'
      ? {
          module: name.childForFieldName('name')?.text ?? '',
          alias: name.childForFieldName('alias')?.text,
        }
      : { module: name.text, alias: undefined },
  );
}

/** What `from .a import b as c` names. */
export function lowerImportFrom(node: Node): ImportFrom {
  const from = node.childForFieldName('module_name');
  const relative = from?.type === 'relative_import';
  const prefix = relative ? (from.namedChildren[0]?.text ?? '.') : '';
  const module = relative
    ? (from.namedChildren.find(child => child.type === 'dotted_name')?.text ?? '')
    : (from?.text ?? '');
  const wildcard = node.namedChildren.some(child => child.type === 'wildcard_import');
  const names = lowerImports(node).map(({ module: name, alias }) => ({
    name,
    alias: alias ?? name,
  }));
  return { level: prefix.length, module, names: wildcard ? undefined : names };
}
