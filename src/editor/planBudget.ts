/**
 * The command "Plan KV Budget": a config, free memory, weights, ranks and release, asked one by one,
 * and a report of what each fraction would give. Called with values it asks nothing.
 */
import type { QuickPickItem, Uri } from 'vscode';
import { window } from 'vscode';
import type { ModelLayout } from '../core/model/modelLayout';
import { planBudget } from '../core/model/plan';
import type { PlanOptions } from '../core/model/planOptions';
import { newestRead, planRelease } from '../core/model/planRelease';
import { refusalMessage } from '../core/model/modelMessages';
import { planReport } from '../core/report/planReport';
import { exactRelease } from '../core/sglang/layout/eraTable';
import { areSlotsOpen, slotsPerRequest } from '../core/sglang/layout/slotsPerRequest';
import { amountOf } from '../core/units/typedAmount';
import { units } from '../core/units/unit';
import { uriFrom } from './argument';
import type { ChooseConfig } from './chooseConfig';
import { HumanError } from './humanError';
import { lineLink } from './lineLink';
import type { Messages } from './messages';
import type { FoundConfig } from './modelConfigs';
import { nameOf } from './reportUri';
import type { Reports } from './reports';
import { escapeHeading } from './reports';

/** What a person types; other extensions and tests pass the same. */
interface TypedPlan {
  readonly gpuFree?: string;
  readonly weights?: string;
  readonly tp?: string;
  readonly release?: string;
}

interface Question {
  readonly key: keyof TypedPlan;
  readonly prompt: string;
  readonly example: string;
  readonly isKnown: (text: string) => boolean;
}

/** Ranks of one server. */
const mostRanks = 1024;

/** The command. */
export class PlanBudget {
  readonly #choose: ChooseConfig;
  readonly #reports: Reports;
  readonly #messages: Messages;

  constructor(choose: ChooseConfig, reports: Reports, messages: Messages) {
    this.#choose = choose;
    this.#reports = reports;
    this.#messages = messages;
  }

  /** Answers the address of the report; undefined when the user stopped. */
  async run(config?: unknown, values?: unknown): Promise<Uri | undefined> {
    const given = uriFrom(config);
    const found = given ? await this.#choose.read(given) : await this.#choose.ofWorkspace();
    const typed = found && (isTyped(values) ? values : await this.#ask());
    return typed && this.#open(found, typed);
  }

  async #open({ uri, config }: FoundConfig, typed: TypedPlan): Promise<Uri> {
    const planned = planBudget(config.layout, optionsOf(typed, config.layout));
    const name = nameOf(uri);
    if (planned.kind === 'refused') {
      throw new HumanError(
        `${name}: ${this.#messages.plain(refusalMessage(planned.refusal), uri)}`,
      );
    }
    const title = this.#messages.ui('report.plan-of', { name: folderOf(uri) });
    const text = this.#messages.report(planReport(planned.value), uri, String, (label, { line }) =>
      lineLink(uri, line, label),
    );
    const report = this.#reports.keep(title, `# ${escapeHeading(title)}\n\n${text}`);
    return this.#reports.open(report, uri);
  }

  /** The answers; an empty one leaves its value open. Undefined when the user stopped. */
  async #ask(): Promise<TypedPlan | undefined> {
    const ui = this.#messages.ui.bind(this.#messages);
    const isAmount = (text: string): boolean => amountOf(text, units.GiB) !== undefined;
    const questions: readonly Question[] = [
      { key: 'gpuFree', prompt: ui('plan.gpu-free'), example: '94 GiB', isKnown: isAmount },
      { key: 'weights', prompt: ui('plan.weights'), example: '72.3 GiB', isKnown: isAmount },
      { key: 'tp', prompt: ui('plan.tp'), example: '8', isKnown: isRanks },
    ];
    const answers: Record<string, string> = {};
    for (const [index, { key, prompt, example, isKnown }] of questions.entries()) {
      const step = index + 1;
      const text = await window.showInputBox({
        title: ui('plan.title', { step, steps: questions.length + 1 }),
        prompt,
        placeHolder: ui('value.example', { example }),
        ignoreFocusOut: true,
        validateInput: typed =>
          typed.trim() === '' || isKnown(typed) ? undefined : ui('value.no-number', { example }),
      });
      if (text === undefined) {
        return undefined;
      }
      answers[key] = text.trim();
    }
    const release = await this.#askRelease();
    return release === undefined ? undefined : { ...answers, release };
  }

  async #askRelease(): Promise<string | undefined> {
    const known = [newestRead, '0.5.20', '0.5.18', '0.5.16', '0.5.14', '0.5.12', '0.5.9', '0.4.9'];
    const picks: QuickPickItem[] = known.map(label =>
      label === newestRead
        ? { label, description: this.#messages.ui('plan.newest-release') }
        : { label },
    );
    const picked = await window.showQuickPick(picks, {
      placeHolder: this.#messages.ui('plan.release'),
    });
    return picked?.label;
  }
}

const supposedRelease = { release: exactRelease(newestRead), isReleaseSupposed: true } as const;

/** The folder of a config has the name of its model. */
function folderOf(uri: Uri): string {
  return uri.path.split('/').at(-2) ?? nameOf(uri);
}

function isRanks(text: string): boolean {
  return /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= mostRanks;
}

function isTyped(value: unknown): value is TypedPlan {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(text => typeof text === 'string')
  );
}

function optionsOf(
  { gpuFree = '', weights = '', tp = '', release }: TypedPlan,
  layout: ModelLayout,
): PlanOptions {
  const total = amountOf(gpuFree, units.GiB);
  const taken = amountOf(weights, units.GiB);
  const planned = planRelease(release) ?? supposedRelease;
  const { architecture } = layout;
  const strategy = {
    disableRadixCache: false,
    isSpeculative: false,
    disableOverlap: false,
    ...(architecture !== undefined && { architecture }),
  };
  return {
    ...planned,
    slotsPerRequest: slotsPerRequest(planned.release, strategy),
    areSlotsOpen: areSlotsOpen(planned.release, strategy),
    parallel: { tp: isRanks(tp) ? Number(tp) : 1 },
    ...(total && { total }),
    ...(taken && { weights: taken }),
  };
}
