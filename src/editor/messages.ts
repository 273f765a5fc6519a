/**
 * The one renderer of messages in the editor: the user's language, the user's number formats, and
 * foreign text escaped for where it goes.
 */
import type { Uri } from 'vscode';
import { l10n } from 'vscode';
import type { LogHover } from '../core/annotate/log/logHover';
import type { PythonAnnotation } from '../core/annotate/python/annotation';
import type { ParameterChain } from '../core/annotate/python/pythonAnnotator';
import type { PythonHover } from '../core/annotate/python/pythonHover';
import type { EscapeTarget } from '../core/message/escape';
import type { Message } from '../core/message/message';
import type { Receipt } from '../core/model/receipt';
import type { PageWriter } from '../core/report/pageWriter';
import type { Report } from '../core/report/reportModel';
import type { FormatOptions } from '../core/units/format';
import { logHoverMarkdown } from '../wording/logHoverText';
import { pageText } from '../wording/pageText';
import type { PlaceWriter } from '../wording/pythonHoverText';
import { chainMarkdown, pythonHoverMarkdown } from '../wording/pythonHoverText';
import { annotationText } from '../wording/pythonText';
import { receiptMarkdown } from '../wording/receiptText';
import type { RenderOptions } from '../wording/render';
import { render, renderQuantity } from '../wording/render';
import type { LineWriter } from '../wording/reportText';
import { reportMarkdown, symbolOf } from '../wording/reportText';
import type { UiTextId } from '../wording/uiText';
import { uiText } from '../wording/uiText';
import type { Settings } from './settings';

/** Renders for a resource, because number formats are a setting of folders. */
export class Messages {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** A message as plain text with all that is known of its numbers. */
  plain(message: Message, resource: Uri | undefined): string {
    return render(message, this.#options(resource, 'plain', 'full'));
  }

  /** A message as plain text for a place with little room. */
  short(message: Message, resource: Uri | undefined): string {
    return render(message, this.#options(resource, 'plain', 'short'));
  }

  /** A hover as Markdown; `writeLine` makes a link to a line of the log. */
  hover(
    hover: LogHover,
    resource: Uri | undefined,
    writeLine: LineWriter,
    linkConfig?: RenderOptions['linkConfig'],
  ): string {
    const options = this.#options(resource, 'markdown', 'full');
    return logHoverMarkdown(hover, { ...options, ...(linkConfig && { linkConfig }) }, writeLine);
  }

  /** A report as Markdown; `writeLine` makes a link to a line, or its number. */
  report(
    report: Report,
    resource: Uri | undefined,
    writeLine: LineWriter,
    linkConfig?: RenderOptions['linkConfig'],
  ): string {
    const options = this.#options(resource, 'markdown', 'full');
    return reportMarkdown(report, { ...options, ...(linkConfig && { linkConfig }) }, writeLine);
  }

  /** What an annotation of Python source says, as plain text. */
  note(annotation: PythonAnnotation, resource: Uri | undefined): string {
    return annotationText(annotation, this.#options(resource, 'plain', 'short'));
  }

  /** A hover over Python source as Markdown; `places` makes links. */
  pythonHover(hover: PythonHover, resource: Uri | undefined, places: PlaceWriter): string {
    return pythonHoverMarkdown(hover, this.#options(resource, 'markdown', 'full'), places);
  }

  /** Where a parameter of a sizing function comes from as Markdown. */
  parameterChain(
    chain: ParameterChain | undefined,
    resource: Uri | undefined,
    places: PlaceWriter,
  ): string {
    return chainMarkdown(chain, this.#options(resource, 'markdown', 'full'), places);
  }

  /** Where bytes per token come from, as a Markdown table. */
  receipt(receipt: Receipt, resource: Uri | undefined): string {
    return receiptMarkdown(receipt, this.#options(resource, 'markdown', 'full'));
  }

  /** What writes the texts of a report page. */
  pageWriter(resource: Uri | undefined): PageWriter {
    const full = this.#options(resource, 'plain', 'full');
    const short = this.#options(resource, 'plain', 'short');
    return {
      message: message => render(message, full),
      quantity: quantity => renderQuantity(quantity, full),
      short: quantity => renderQuantity(quantity, short),
      symbol: symbolOf,
    };
  }

  /** The words of the report page itself, with their gaps. */
  pageTexts(): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(pageText).map(([id, text]) => [id, l10n.t(text)]));
  }

  /** How numbers are written. */
  format(resource: Uri | undefined): FormatOptions {
    return this.#settings.format(resource);
  }

  /** A text of the editor's own controls. */
  ui(id: UiTextId, values: Readonly<Record<string, string | number>> = {}): string {
    return l10n.t(uiText[id], values);
  }

  #options(
    resource: Uri | undefined,
    target: EscapeTarget,
    length: RenderOptions['length'],
  ): RenderOptions {
    return {
      format: this.#settings.format(resource),
      target,
      length,
      translate: (text, values) => l10n.t(text, values),
    };
  }
}
