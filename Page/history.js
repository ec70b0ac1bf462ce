// What has been trained: a year by its days, the best of each preset, and the sessions by weeks; what was interrupted.

import { menu } from './fields.js';
import { svg } from './lane.js';
import { button, chips, create, fill, foreign, line, offer, people } from './lists.js';
import { amount, clockText, dateText, word } from './words.js';

// Sessions of one page, and as many as the coach tells at once.
const few = 20;
const most = 200;
const day = 86_400_000;
// Milliseconds in which a second press does what cannot be undone.
const sure = 4000;
const columns = ['startedAt', 'lane', 'workout', 'preset', 'outcome', 'seconds', 'work', 'rest', 'sets', 'setsDone', 'complete', 'tags'];

// Days are those of the coach's clock, whatever the phone's zone is.
const noon = (text) => new Date(`${text.slice(0, 10)}T12:00Z`);
const monday = (date) => new Date(date - ((date.getUTCDay() + 6) % 7) * day);
const minutes = (seconds) => amount('minute', Math.round(seconds / 60));
const time = (seconds) => clockText(Math.round(seconds));
const percent = (part) => part === undefined ? '' : `${Math.floor(part * 100)}\xa0%`;

// A text that begins like a formula is none in a table.
const cell = (value) => typeof value === 'number' ? value : `"${[value ?? ''].flat().join(' ').replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
const table = (entries) => [columns.join(), ...entries.map((entry) => columns.map((key) => cell(entry[key])).join())].map((line) => `${line}\r\n`).join('');

// Each day a square, the fuller the more was done; a column is a week.
function calendar(year, days, label) {
  const picture = svg('svg', { class: 'calendar', viewBox: '0 0 54 7', role: 'img', 'aria-label': label });
  const sums = new Map(days.map(({ date, work }) => [date, work]));
  const top = Math.max(1, ...sums.values());
  let date = noon(`${year}-01-01`);
  for (const first = monday(date); date.getUTCFullYear() === year; date = new Date(+date + day)) {
    const work = sums.get(date.toISOString().slice(0, 10));
    const number = (date - first) / day;
    picture.append(svg('rect', { x: Math.floor(number / 7), y: number % 7, width: 0.84, height: 0.84,
      'fill-opacity': work === undefined ? 0.12 : 0.4 + 0.6 * work / top }));
  }
  return picture;
}

export class HistoryList {
  #section;
  #coach;
  #options;
  #entries = [];
  #hasMore = false;
  // Whether the coach has answered: only then is an empty list known to be empty.
  #isKnown = false;
  #interrupted = [];
  #names = new Set();
  #tags = new Set();
  // What is shown: of a person, with a tag.
  #lane = null;
  #tag = '';
  #year = new Date().getFullYear();
  // The coach's sums of each year that is shown.
  #sums = new Map();
  // The row that shows its phases: `key`, and `phases` when they have come.
  #open = null;
  #best = create('details');
  #loads = 0;
  #loading;

  // options: onPeople(names); titleOf(preset);
  // command(fields, options): a tap; resumed(): a workout runs again; say(text, action); fail(error).
  constructor(...given) {
    [this.#section, this.#coach, this.#options] = given;
  }

  #find(selector) { return this.#section.querySelector(selector); }

  // Of the chosen person and tag.
  #ask(verb, fields) {
    return this.#coach.ask({ verb, ...fields, ...this.#lane !== null && { lane: this.#lane }, ...this.#tag && { tag: this.#tag } });
  }

  // As many as were shown. Where it is called again meanwhile, both end with the later one.
  load() { return this.#loading = this.#load(); }

  async #load() {
    this.#loads += 1;
    const load = this.#loads;
    const limit = Math.min(most, Math.max(few, this.#entries.length));
    const year = this.#year;
    // An older coach knows nobody.
    const [{ history = [], omitted }, { sessions = [] }, { people = [] }, sum] = await Promise.all([this.#ask('history', { limit }),
      this.#coach.ask({ verb: 'sessions' }), this.#coach.know({ verb: 'people' }), this.#summary(year)]);
    if (load !== this.#loads) return this.#loading;
    this.#isKnown = true;
    this.#interrupted = sessions;
    for (const { name } of people) if (name) this.#names.add(name);
    this.#sums = new Map([[year, sum]]);
    this.#entries = [];
    await this.#add(history, limit, omitted);
    this.#options.onPeople(this.#names);
  }

  async #add(entries, limit, omitted) {
    this.#entries.push(...entries);
    this.#hasMore = entries.length === limit || omitted > 0;
    for (const entry of entries) {
      if (entry.person) this.#names.add(entry.lane);
      for (const tag of entry.tags ?? []) this.#tags.add(tag);
    }
    const years = this.#entries.map(({ startedAt }) => noon(startedAt)).filter((date) => date > 0).map((date) => monday(date).getUTCFullYear());
    await this.#sum(this.#year, ...new Set(years));
  }

  #summary(year) { return this.#ask('history-summary', { year }).catch(() => ({})); }

  async #sum(...years) {
    const sums = this.#sums;
    await Promise.all(years.filter((year) => !sums.has(year)).map(async (year) => {
      sums.set(year, await this.#summary(year));
    }));
    this.show();
  }

  show() {
    const { at } = document.activeElement.dataset;
    people(this.#find('#people'), this.#names, this.#lane, (name) => {
      this.#lane = name;
      return this.#choose();
    }, [null, word('all')]);
    this.#showInterrupted();
    this.#showYear();
    this.#showWeeks();
    if (at) this.#focus(at);
  }

  #focus(at) { this.#find(`[data-at="${CSS.escape(at)}"]`)?.focus({ preventScroll: true }); }

  #choose() {
    this.#entries = [];
    return this.load().catch(this.#options.fail);
  }

  #showInterrupted() {
    const list = this.#find('#interrupted');
    list.hidden = !this.#interrupted.length;
    fill(list, [create('li', 'folder', word('interrupted')), ...this.#interrupted.map(({ lane, workout, place }) => {
      const called = (each, key) => Object.assign(each, { textContent: word(key), ariaLabel: `${word(key)}: ${workout}, ${lane}` });
      const act = (verb, each) => this.#options.command({ verb, lane }, { button: each });
      const resume = button('resume', async (each) => { if (await act('resume', each)) this.#options.resumed(); else this.load(); }, 'resume');
      // What was interrupted is gone then.
      const discard = button('discard', async (each) => {
        if (each.dataset.sure) {
          if (!await act('discard', each)) return this.load();
          this.#options.say(word('discarded', { name: workout }));
          return this.load().then(() => this.#section.querySelector('#interrupted button, #history .about')?.focus());
        }
        each.dataset.sure = 'yes';
        called(each, 'stopSure');
        setTimeout(() => { delete each.dataset.sure; called(each, 'discard'); }, sure);
      }, 'discard');
      return create('li', 'past', foreign('span', 'title', workout), line([lane, place]), called(resume, 'resume'),
        called(discard, 'discard'));
    })]);
  }

  #showYear() {
    const { days, streak, best = [] } = this.#sums.get(this.#year) ?? {};
    const part = this.#find('#year');
    part.hidden = !days;
    if (!days) return;
    const years = create('div', 'chips');
    years.role = 'group';
    const latest = new Date().getFullYear();
    years.ariaLabel = word('year');
    chips(years, [this.#year - 1, this.#year, this.#year + 1].filter((year) => year <= latest), this.#year,
      async (year) => { this.#year = year; await this.#sum(year); this.#find('#year [aria-pressed=true]').focus(); });
    const facts = [amount('day', days.length), `${word('work')}: ${minutes(days.reduce((sum, { work }) => sum + work, 0))}`,
      word('streak', { now: amount('week', streak.now), best: amount('week', streak.best) })].join(' · ');
    const tags = menu(word('tags'), [['', word('everything')], ...[...this.#tags].sort()], this.#tag, 'tag', (tag) => { this.#tag = tag; this.#choose(); });
    tags.hidden = !this.#tags.size;
    this.#best.replaceChildren(create('summary', '', word('best')), create('ul', 'rows', ...best.map(({ id, preset, complete, work }) =>
      this.#row(`best ${id}`, id, this.#options.titleOf(preset), [percent(complete), work && `${word('work')} ${time(work)}`]))));
    this.#best.hidden = !best.length;
    part.replaceChildren(tags, years, calendar(this.#year, days, `${this.#year}: ${facts}`), create('p', 'facts', facts), this.#best);
  }

  #showWeeks() {
    const weeks = new Map();
    for (const entry of this.#entries) {
      const date = noon(entry.startedAt);
      const key = date > 0 ? +monday(date) : 0;
      weeks.set(key, [...weeks.get(key) ?? [], entry]);
    }
    const list = this.#find('#history');
    list.replaceChildren(...[...weeks].map(([key, entries]) => {
      const date = new Date(key).toISOString();
      const sum = this.#sums.get(Number(date.slice(0, 4)))?.weeks?.find((each) => each.date === date.slice(0, 10));
      return create('section', 'week', '',
        create('h2', '', key ? word('week', { date: dateText(date, { day: 'numeric', month: 'long', year: 'numeric' }) }) : '?'),
        ...sum ? [create('p', 'facts', `${sum.workouts} × · ${word('work')}: ${minutes(sum.work)}`)] : [],
        create('ul', 'rows', ...entries.map((entry) => this.#session(entry))));
    }));
    if (!this.#entries.length) return list.append(this.#isKnown ? create('p', 'none', word(this.#lane !== null || this.#tag ? 'nothingFound' : 'noHistory')) : '');
    const acts = create('div', 'chips');
    if (this.#hasMore) acts.append(button('more', (each) => this.#more(each), 'more'));
    for (const kind of ['CSV', 'JSON']) {
      acts.append(button('download', (each) => this.#download(kind, each), 'download'));
      acts.lastChild.append(` ${kind}`);
    }
    list.append(acts);
  }

  #session(entry) {
    const { id, person, lane, workout, startedAt, seconds, outcome, complete } = entry;
    return this.#row(id, id, workout, [dateText(startedAt, { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
      person && lane, clockText(Math.floor(seconds)), word(outcome), percent(complete)]);
  }

  #row(key, session, title, facts) {
    const about = create('button', 'about', foreign('span', 'title', title), line(facts));
    about.dataset.at = key;
    about.ariaExpanded = this.#open?.key === key;
    about.onclick = () => this.#toggle(key, session);
    const { phases } = this.#open?.key === key ? this.#open : {};
    if (!phases) return create('li', 'past', about);
    const skipped = phases.filter((phase) => phase.skipped).length;
    return create('li', 'past', about, create('p', 'facts', [phases.length ? word('donePlanned') : '–', skipped && `${word('skipped')}: ${skipped}`].filter(Boolean).join(' · ')),
      create('ol', 'chips', ...phases.map(({ kind, label, done, planned, skipped: isSkipped }) => {
        const phase = foreign('li', isSkipped ? 'piece skipped' : 'piece', `${label} ${time(done)}${planned ? ` / ${time(planned)}` : ''}`);
        phase.dataset.kind = kind;
        return phase;
      })), button('delete', (each) => this.#delete(session, title, each), 'resume'));
  }

  async #toggle(key, session) {
    this.#open = this.#open?.key === key ? null : { key };
    this.show();
    if (!this.#open) return;
    const { phases = [] } = await this.#coach.ask({ verb: 'history-phases', session }).catch(() => ({}));
    if (this.#open?.key !== key) return;
    this.#open.phases = phases;
    this.show();
  }

  async #delete(session, name, waiting) {
    const place = [...this.#section.querySelectorAll('.about')].indexOf(waiting.parentNode.firstChild);
    if (!await this.#options.command({ verb: 'history-delete', session }, { button: waiting })) return;
    this.#open = null;
    await this.load().catch(this.#options.fail);
    [...this.#section.querySelectorAll('.about')].slice(0, place + 1).at(-1)?.focus();
    this.#options.say(word('deleted', { name }), { text: word('undo'), run: async () => {
      if (await this.#options.command({ verb: 'history-restore', session })) this.#choose().then(() => this.#focus(session));
    } });
  }

  // What `run` does while the button waits.
  async #wait(waiting, run) {
    waiting.ariaBusy = true;
    await run().catch(this.#options.fail);
    waiting.ariaBusy = null;
  }

  #after(entries, limit) { return this.#ask('history', { limit, ...entries.length && { before: entries.at(-1).id } }); }

  #more(waiting) {
    return this.#wait(waiting, async () => {
      const load = this.#loads;
      const { history, omitted } = await this.#after(this.#entries, few);
      if (load !== this.#loads) return;
      await this.#add(history, few, omitted);
      if (history.length) this.#focus(history[0].id);
    });
  }

  #download(kind, waiting) {
    return this.#wait(waiting, async () => {
      const all = [];
      for (let page = {}; page.history?.length !== 0; all.push(...page.history)) page = await this.#after(all, most);
      offer(`cuecoach.${kind.toLowerCase()}`, kind === 'CSV' ? table(all) : `${JSON.stringify(all, null, 1)}\n`);
    });
  }
}
