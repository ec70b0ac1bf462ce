// What has been trained, week by week, and what was interrupted.

import { chips, create, foreign } from './lists.js';
import { clockText, language, word } from './words.js';

// As many as the coach tells.
const most = 200;
const day = 86_400_000;

// The Monday of a date's week, at noon.
function monday(date) {
  const noon = new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12);
  return new Date(noon - ((noon.getDay() + 6) % 7) * day);
}

export class HistoryList {
  #section;
  #coach;
  #options;
  #entries = [];
  #interrupted = [];
  #person = null;

  // options: isOwn(entry): somebody in particular has trained; resume(lane, button); onPeople(names).
  constructor(section, coach, options) {
    this.#section = section;
    this.#coach = coach;
    this.#options = options;
  }

  async load() {
    const { history } = await this.#coach.ask({ verb: 'history', limit: most });
    const { sessions } = await this.#coach.ask({ verb: 'sessions' });
    this.#entries = history ?? [];
    this.#interrupted = sessions ?? [];
    this.#options.onPeople(this.#people);
    this.show();
  }

  get #people() { return [...new Set(this.#entries.filter(this.#options.isOwn).map(({ lane }) => lane))]; }

  show() {
    const people = this.#people;
    if (!people.includes(this.#person)) this.#person = null;
    const group = this.#section.querySelector('#people');
    group.hidden = !people.length;
    group.setAttribute('aria-label', word('people'));
    chips(group, [[null, word('all')], ...people.map((name) => [name, name])], this.#person, (name) => {
      this.#person = name;
      this.show();
      group.querySelector('[aria-pressed=true]').focus();
    });
    this.#showInterrupted();
    this.#showWeeks();
  }

  #showInterrupted() {
    const list = this.#section.querySelector('#interrupted');
    list.hidden = !this.#interrupted.length;
    list.replaceChildren(...this.#interrupted.map(({ lane, workout, place }) => {
      const item = create('li', 'past');
      item.append(foreign('span', 'title', workout), foreign('span', 'facts', [lane, place].join(' · ')));
      const button = create('button', 'resume', word('resume'));
      button.setAttribute('aria-label', `${word('resume')}: ${workout}, ${lane}`);
      button.addEventListener('click', () => this.#options.resume(lane, button));
      item.append(button);
      return item;
    }));
    if (this.#interrupted.length) list.prepend(create('li', 'folder', word('interrupted')));
  }

  #showWeeks() {
    const entries = this.#entries.filter(({ lane }) => this.#person === null || lane === this.#person);
    const weeks = new Map();
    for (const entry of entries) {
      const date = new Date(entry.startedAt);
      const key = Number.isNaN(date.valueOf()) ? '' : monday(date).valueOf();
      if (!weeks.has(key)) weeks.set(key, []);
      weeks.get(key).push(entry);
    }
    const list = this.#section.querySelector('#history');
    list.replaceChildren(...[...weeks].map(([key, ones], index) => {
      const week = create('section', 'week');
      // Of the last one the coach may not have told all.
      const isWhole = this.#entries.length < most || index < weeks.size - 1;
      week.append(create('h2', '', key === '' ? '?' : word('week', { date: new Intl.DateTimeFormat(language,
        { day: 'numeric', month: 'long', year: 'numeric' }).format(new Date(key)) })));
      const seconds = ones.reduce((sum, each) => sum + each.seconds, 0);
      if (isWhole) week.append(create('p', 'facts', `${ones.length} × · ${minutes(seconds)}`));
      const rows = create('ul', 'rows');
      rows.append(...ones.map((entry) => this.#row(entry)));
      week.append(rows);
      return week;
    }));
    if (!entries.length) list.append(create('p', 'none', word('noHistory')));
  }

  #row(entry) {
    const item = create('li', 'past');
    const when = new Date(entry.startedAt);
    const facts = [
      Number.isNaN(when.valueOf()) ? entry.startedAt : new Intl.DateTimeFormat(language, {
        weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit',
      }).format(when),
      this.#options.isOwn(entry) ? entry.lane : '',
      clockText(Math.floor(entry.seconds)), word(entry.outcome),
    ].filter(Boolean);
    item.append(foreign('span', 'title', entry.workout), foreign('span', 'facts', facts.join(' · ')));
    return item;
  }
}

const minutes = (seconds) => new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  .format(Math.round(seconds / 60));
