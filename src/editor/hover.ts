/**
 * The hover over a message of a log: its numbers, checks and what the account knows of it. Its text
 * may use one command of ours, and everything from the log in it is escaped.
 */
import type { CancellationToken, HoverProvider, Position, TextDocument, Uri } from 'vscode';
import { Hover, MarkdownString, Range } from 'vscode';
import type { RunAccount } from '../core/account/account';
import type { ConfigPlace } from '../core/model/configTree';
import type { LogHover } from '../core/annotate/log/logHover';
import { logHover } from '../core/annotate/log/logHover';
import { commandId } from './commands';
import type { LogAnalysis, LogAnswering } from './logAnalysis';

/** Answers hovers of logs. */
export class LogHoverProvider implements HoverProvider {
  readonly #logs: LogAnswering;

  constructor(logs: LogAnswering) {
    this.#logs = logs;
  }

  provideHover(
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | undefined> {
    return this.#logs.answer('hover.enabled', document, token, analysis =>
      this.#hoverAt(document, position, analysis),
    );
  }

  #hoverAt(
    document: TextDocument,
    position: Position,
    { records }: LogAnalysis,
  ): Hover | undefined {
    const line = position.line + 1;
    const record = records.covering(line, position.character);
    if (record === undefined) {
      return undefined;
    }
    const account = records.accountOf(record);
    const content = logHover(account, record, line, position.character);
    return content.hasContent
      ? new Hover(
          this.#markdown(content, document.uri, account),
          rangeOf(content, position, document),
        )
      : undefined;
  }

  #markdown(content: LogHover, uri: Uri, account: RunAccount | undefined): MarkdownString {
    const command = (label: string, values: readonly unknown[]): string =>
      `[${label}](command:${commandId('reveal')}?${encodeURIComponent(JSON.stringify(values))})`;
    const link = (line: number): string =>
      command(this.#logs.messages.ui('report.link', { line }), [uri.toString(), line]);
    const report = command(this.#logs.messages.ui('report.hover-link'), [
      uri.toString(),
      content.record.line,
      'report',
    ]);
    const config = account?.layout?.kind === 'known' ? account.layout.value.config.name : undefined;
    const linkConfig = (label: string, { line }: ConfigPlace): string =>
      config === undefined ? label : command(label, [config, line]);
    const text = this.#logs.messages.hover(content, uri, link, linkConfig);
    const markdown = new MarkdownString(`${text}\n\n${report}`);
    markdown.isTrusted = { enabledCommands: [commandId('reveal')] };
    return markdown;
  }
}

/** The number under the cursor, else the message as far as it stands in this line. */
function rangeOf({ focus, record }: LogHover, { line }: Position, document: TextDocument): Range {
  if (focus !== undefined) {
    return new Range(line, focus.start, line, focus.end);
  }
  const whole = document.lineAt(line).range;
  const start = record.line - 1 === line ? record.start : 0;
  const end = record.endLine - 1 === line ? record.end : whole.end.character;
  return new Range(line, start, line, end);
}
