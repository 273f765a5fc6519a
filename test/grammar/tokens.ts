/** Tokenises text with a grammar of syntaxes/, as the editor does: line by line, state carried on. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { IGrammar, IRawGrammar } from 'vscode-textmate';
import { INITIAL, Registry } from 'vscode-textmate';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';

/** A piece of a line with its scopes, outermost first. */
export interface ScopedPiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly scopes: readonly string[];
}

const files: Readonly<Record<string, string>> = {
  'text.sglang-log': 'sglang-log.tmLanguage.json',
  'text.sglang-log.injection': 'sglang-log.injection.tmLanguage.json',
};

/** Stands for the editor's own grammar of logs: a scope and no rules. */
const plainLog: IRawGrammar = {
  scopeName: 'text.log',
  patterns: [],
  repository: {} as IRawGrammar['repository'],
};

let registry: Registry | undefined;

async function makeRegistry(): Promise<Registry> {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
  await loadWASM(await readFile(wasm));
  return new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async scope => {
      const file = files[scope];
      return file === undefined
        ? plainLog
        : (JSON.parse(
            await readFile(new URL(`../../syntaxes/${file}`, import.meta.url), 'utf8'),
          ) as IRawGrammar);
    },
    getInjections: scope => (scope === 'text.log' ? ['text.sglang-log.injection'] : undefined),
  });
}

/** The grammar of a scope, `text.log` with our injection. */
export async function loadGrammar(scope: string): Promise<IGrammar> {
  registry ??= await makeRegistry();
  const grammar = await registry.loadGrammar(scope);
  if (grammar === null) {
    throw new Error(`no grammar for ${scope}`);
  }
  return grammar;
}

/** The pieces of every line. */
export function tokenise(grammar: IGrammar, lines: readonly string[]): ScopedPiece[][] {
  let state = INITIAL;
  return lines.map(line => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      start: startIndex,
      end: endIndex,
      scopes,
    }));
  });
}

/** The innermost scope of the piece with exactly this text; undefined where there is none. */
export function scopeOf(pieces: readonly ScopedPiece[], text: string): string | undefined {
  return pieces.find(piece => piece.text === text)?.scopes.at(-1);
}
