/**
 * The hover over an expression of memory arithmetic. Its links use one command of ours; everything
 * from the source in it is escaped.
 */
import type { CancellationToken, HoverProvider, Position, TextDocument, Uri } from 'vscode';
import { Hover, MarkdownString, Uri as UriClass } from 'vscode';
import type { FileAnnotations } from '../../core/annotate/python/fileAnnotations';
import type { PythonHover } from '../../core/annotate/python/pythonHover';
import { tellingLines } from '../../core/model/receipt';
import { intersect } from '../../core/units/interval';
import { units } from '../../core/units/unit';
import type { PlaceWriter } from '../../wording/pythonHoverText';
import { commandId } from '../commands';
import { nameOf } from '../reportUri';
import type { PythonAnswering, PythonDocuments } from './pythonDocuments';
import { editorRange } from './editorRange';
import type { RunBinding } from './runBinding';

const longestWaitMs = 400;

/** Answers hovers of Python sources. */
export class PythonHoverProvider implements HoverProvider {
  readonly #python: PythonAnswering;
  readonly #documents: PythonDocuments;
  readonly #binding: RunBinding;

  constructor(python: PythonAnswering, documents: PythonDocuments, binding: RunBinding) {
    this.#python = python;
    this.#documents = documents;
    this.#binding = binding;
  }

  provideHover(
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | undefined> {
    return this.#python.answer('pythonHover.enabled', document, token, annotations =>
      this.#hoverAt(document, position, annotations),
    );
  }

  async #hoverAt(
    document: TextDocument,
    position: Position,
    annotations: FileAnnotations,
  ): Promise<Hover | undefined> {
    const { line, character } = position;
    const places = this.#places(position);
    const found = annotations.hoverAt(line, character);
    if (found === undefined) {
      return undefined;
    }
    const text = this.#python.messages.pythonHover(found, document.uri, places);
    const more = [await this.#chain(found, document, places), this.#receipt(found, document.uri)];
    const parts = [text, ...more].filter(part => part !== '');
    const markdown = new MarkdownString(parts.join('\n\n').trimEnd());
    markdown.isTrusted = { enabledCommands: [commandId('reveal')] };
    return new Hover(markdown, editorRange(found.range));
  }

  /** Where the free memory comes from that the fraction scales. */
  async #chain(found: PythonHover, document: TextDocument, places: PlaceWriter): Promise<string> {
    const { scaledParameter, function: name } = found;
    if (scaledParameter === undefined) {
      return '';
    }
    // A hover does not wait for a search through the package; the next one has its result.
    const chain = await Promise.race([
      this.#documents.chainOf(document, name, scaledParameter),
      new Promise<undefined>(resolve => setTimeout(resolve, longestWaitMs)),
    ]);
    return this.#python.messages.parameterChain(chain, document.uri, places);
  }

  /** Bytes per token of the bound run are explained by its model's config. */
  #receipt({ unit, quantity }: PythonHover, resource: Uri): string {
    const layout = this.#binding.latest?.account.layout;
    if (unit !== units.bytesPerToken || layout?.kind !== 'known') {
      return '';
    }
    const { agreement, bytes } = layout.value;
    const own = bytes.solution.quantityOf(bytes.budgeted);
    const isOther =
      own !== undefined &&
      quantity !== undefined &&
      intersect(own.interval, quantity.interval) === undefined;
    return agreement === 'differs' || isOther
      ? ''
      : this.#python.messages.receipt(tellingLines(bytes.receipt), resource);
  }

  /** Lines of sources are shown in place, where the hover is; lines of the log are gone to. */
  #places({ line: row, character }: Position): PlaceWriter {
    const bound = this.#binding.latest;
    const link = (uri: Uri, line: number, ...how: readonly unknown[]): string => {
      const target = encodeURIComponent(JSON.stringify([uri.toString(), line, ...how]));
      const label = `${nameOf(uri)}:${line}`.replace(/[^\w.:-]/g, '\\$&');
      return `[${label}](command:${commandId('reveal')}?${target})`;
    };
    return {
      source: ({ path, line }) => link(UriClass.parse(path), line, 'peek', row, character),
      log: line =>
        bound === undefined
          ? this.#python.messages.ui('report.link', { line })
          : link(bound.uri, line),
    };
  }
}
