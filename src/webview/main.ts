/**
 * The report page in the editor: draws the model that the editor sends, answers what-if, and hands
 * everything else back. It opens nothing and fetches nothing.
 */
import './live/language';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { PageCourse, PageModel } from '../core/report/pageModel';
import { byId, drawRoot } from './live/document';
import { CourseCharts } from './live/courseChart';
import { showReading } from './live/reading';
import { TryPanel } from './live/tryPanel';
import type { PageMessage, PageState, PageSubject, TriedValues } from './protocol';
import { pageStateFrom, readingMessageFrom, showMessageFrom } from './protocol';
import { courseView } from './view/courseView';
import { memoryContent } from './view/memoryView';
import { firstRank, pageView } from './view/pageView';
import './page.css';
import 'uplot/dist/uPlot.min.css';

interface EditorApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: PageState): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The state is stored with the window: a page of more than this keeps no model. */
const largestState = 400_000;

class Page {
  readonly #editor = acquireVsCodeApi();
  #model: PageModel | undefined;
  #subject: PageSubject = { kind: 'kept' };
  #tried: TriedValues = { texts: {} };
  #rank = 0;
  #try: TryPanel | undefined;
  #charts: CourseCharts | undefined;

  start(): void {
    window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = showMessageFrom(data);
      const reading = readingMessageFrom(data);
      if (message !== undefined) {
        this.#show(message.model, message.subject);
      } else if (reading !== undefined && this.#isWaiting) {
        showReading(reading);
      }
    });
    document.addEventListener('click', event => this.#clicked(event));
    document.addEventListener('change', event => this.#changed(event));
    // Charts are painted in the theme's colours: another theme needs another painting.
    new MutationObserver(() => this.#drawCharts()).observe(document.body, {
      attributeFilter: ['class'],
    });
    const state = pageStateFrom(this.#editor.getState());
    if (state !== undefined) {
      this.#tried = state.tried;
      if (state.model !== undefined) this.#show(state.model, state.subject);
    }
    this.#editor.postMessage({ type: 'ready' });
  }

  /** True until the whole log is read. */
  get #isWaiting(): boolean {
    return this.#model === undefined || this.#model.isPartial === true;
  }

  #show(model: PageModel, subject: PageSubject): void {
    const isOther =
      JSON.stringify(subject) !== JSON.stringify(this.#subject) && this.#model !== undefined;
    if (isOther) {
      this.#tried = { texts: {} };
    }
    const wasShown = this.#model !== undefined && !isOther;
    this.#model = model;
    this.#subject = subject;
    this.#rank = wasShown ? this.#rank : firstRank(model);
    document.documentElement.lang = model.locale;
    document.title = model.title;
    const scrolled = window.scrollY;
    const focused = document.activeElement?.id ?? '';
    drawRoot(pageView({ model, isStatic: false, rank: this.#rank }));
    this.#scrollRanks();
    this.#startTrying(model);
    this.#drawCharts();
    this.#keep();
    window.scrollTo(0, isOther ? 0 : scrolled);
    if (wasShown && focused !== '') {
      // Fields draw themselves a moment after they are there.
      requestAnimationFrame(() => document.getElementById(focused)?.focus({ preventScroll: true }));
    }
  }

  #startTrying(model: PageModel): void {
    const data = model.run?.whatIf;
    this.#try =
      data &&
      new TryPanel(model, data, this.#tried, tried => {
        this.#tried = tried;
        this.#keep();
      });
  }

  #keep(): void {
    const model = this.#model;
    if (model === undefined) {
      return;
    }
    if (model.isPartial === true) {
      // What is not of the whole log is read again.
      this.#editor.setState({ subject: this.#subject, tried: this.#tried });
      return;
    }
    const state = { subject: this.#subject, model, tried: this.#tried };
    const isSmall = JSON.stringify(model).length < largestState;
    const withoutCourses = model.run && { ...model, run: { ...model.run, courses: [] } };
    this.#editor.setState(isSmall || !withoutCourses ? state : { ...state, model: withoutCourses });
  }

  #clicked(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : undefined;
    const { reveal, log } = target?.closest<HTMLElement>('[data-reveal]')?.dataset ?? {};
    if (reveal !== undefined) {
      const lines = reveal.split(' ').map(Number);
      const which = log === undefined ? {} : { log: log === '1' ? (1 as const) : (0 as const) };
      this.#editor.postMessage({ type: 'reveal', lines, ...which });
      return;
    }
    const rank = target?.closest<HTMLElement>('[data-rank]')?.dataset['rank'];
    if (rank !== undefined) {
      this.#chooseRank(Number(rank));
      return;
    }
    const button = target?.closest<HTMLElement>('vscode-button[data-act], button[data-act]');
    if (button) {
      this.#act(button.dataset['act'], button.dataset['flag']);
    }
  }

  #act(act: string | undefined, flag: string | undefined): void {
    switch (act) {
      case 'openLog':
      case 'compare':
      case 'copyMarkdown':
      case 'saveHtml':
      case 'stop':
      case 'readOn':
      case 'chooseConfig':
        this.#editor.postMessage({ type: act });
        break;
      case 'copyFlag':
        this.#editor.postMessage({ type: act, flag: flag ?? '' });
        break;
      case 'copyTried':
        if (this.#try?.flag !== undefined) {
          this.#editor.postMessage({ type: 'copyFlag', flag: this.#try.flag });
        }
        break;
      case 'reset':
        this.#try?.reset();
        break;
      default:
        break;
    }
  }

  #changed(event: Event): void {
    const select = event.target instanceof HTMLElement ? event.target : undefined;
    const value = Number((select as { value?: string } | undefined)?.value);
    if (select?.dataset['act'] === 'showRun') {
      this.#editor.postMessage({ type: 'showRun', run: value });
    }
    const course = this.#model?.run?.courses[value];
    if (select?.dataset['act'] === 'showCourse' && course && this.#model) {
      byId('course').innerHTML = courseView(this.#drawing(this.#model), course).text;
      this.#drawCharts(course);
    }
  }

  #drawing(model: PageModel) {
    return { model, isStatic: false, rank: this.#rank };
  }

  #chooseRank(rank: number): void {
    const model = this.#model;
    if (model?.run === undefined) {
      return;
    }
    const scrolled = this.#manyRanks()?.scrollTop;
    this.#rank = rank;
    byId('memory').innerHTML = memoryContent(this.#drawing(model), model.run).text;
    this.#manyRanks()?.scrollTo(0, scrolled ?? 0);
    document.querySelector<HTMLElement>(`[data-rank="${rank}"]`)?.focus();
  }

  /** The frame in which the ranks of a cluster scroll; null for a few ranks. */
  #manyRanks(): HTMLElement | null {
    return document.querySelector<HTMLElement>('.strips.many');
  }

  /** Brings the rank whose waterfall is shown into that frame, without moving the page. */
  #scrollRanks(): void {
    const frame = this.#manyRanks();
    const shown = frame?.querySelector<HTMLElement>(`[data-rank="${this.#rank}"]`);
    if (frame && shown) {
      const { top, height } = shown.getBoundingClientRect();
      const above = top - frame.getBoundingClientRect().top + frame.scrollTop;
      frame.scrollTop = above - (frame.clientHeight - height) / 2;
    }
  }

  #shownCourse: PageCourse | undefined;

  #drawCharts(course = this.#shownCourse): void {
    const known = this.#model?.run?.courses ?? [];
    this.#shownCourse = course && known.includes(course) ? course : known[0];
    this.#charts?.dispose();
    this.#charts = undefined;
    const places = [...document.querySelectorAll<HTMLElement>('[data-chart]')];
    if (this.#model && this.#shownCourse && places.length > 0) {
      this.#charts = new CourseCharts(this.#model, this.#shownCourse, places, line =>
        this.#editor.postMessage({ type: 'reveal', lines: [line] }),
      );
    }
  }
}

new Page().start();
