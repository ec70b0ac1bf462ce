// The lists of the first view: presets with their phases, and the last sessions.

import { profile } from './lane.js';
import { clockText, language, word } from './words.js';

const create = (name, className, text) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const lengthText = (seconds) =>
  seconds === undefined ? word('openLength') : clockText(Math.round(seconds));

// Repeated phases in one: [{ times, segments }].
export function grouped(outline) {
  const same = (one, other) => one.label === other.label && one.seconds === other.seconds;
  const groups = [];
  for (let start = 0; start < outline.length;) {
    let best = { times: 1, period: 1 };
    for (let period = 1; period <= 6; period += 1) {
      let end = start + period;
      while (end < outline.length && same(outline[end], outline[end - period])) end += 1;
      const times = Math.floor((end - start) / period);
      if (times > 1 && times * period > best.times * best.period) best = { times, period };
    }
    groups.push({ times: best.times, segments: outline.slice(start, start + best.period) });
    start += best.times * best.period;
  }
  return groups;
}

export class PresetList {
  #list;
  #coach;
  #onStart;
  #presets = [];
  #outlines = new Map();

  // onStart(preset, lane): lane is '' where no name was given.
  constructor(list, coach, onStart) {
    this.#list = list;
    this.#coach = coach;
    this.#onStart = onStart;
  }

  async load() {
    const { presets } = await this.#coach.ask({ verb: 'presets' });
    const known = new Map(this.#presets.map((preset) => [preset.name, JSON.stringify(preset)]));
    for (const preset of presets) {
      // A preset that was edited has other phases.
      if (known.get(preset.name) !== JSON.stringify(preset)) this.#outlines.delete(preset.name);
    }
    this.#presets = presets;
    this.show();
    for (const { name, error } of presets) {
      if (error || this.#outlines.has(name)) continue;
      const answer = await this.#coach.ask({ verb: 'presets', preset: name, outline: true });
      this.#outlines.set(name, answer.presets?.[0]?.outline ?? []);
      this.#showOutline(name);
    }
  }

  show() {
    this.#list.replaceChildren(...this.#presets.map((preset) => this.#item(preset)));
    if (!this.#presets.length) this.#list.append(create('li', 'none', word('noPresets')));
    for (const { name } of this.#presets) this.#showOutline(name);
  }

  #item(preset) {
    const item = create('li', 'preset');
    item.dataset.preset = preset.name;
    const about = create('button', 'about');
    about.type = 'button';
    about.setAttribute('aria-expanded', 'false');
    about.append(create('span', 'title', preset.workout ?? preset.name));
    const facts = [lengthText(preset.seconds)];
    if (preset.sets > 1) facts.push(word('sets', { sets: preset.sets }));
    about.append(create('span', 'facts', preset.error ?? facts.join(' · ')));
    about.append(create('span', 'bar'));
    const start = create('button', 'start', word('start'));
    start.type = 'button';
    start.disabled = Boolean(preset.error);
    start.setAttribute('aria-label', `${word('start')}: ${preset.workout ?? preset.name}`);
    const more = create('div', 'more');
    more.hidden = true;
    more.append(create('ol', 'phases'));
    const label = create('label', '', word('name'));
    const name = create('input', '');
    name.type = 'text';
    name.maxLength = 40;
    name.autocomplete = 'off';
    label.append(name);
    more.append(label);
    about.addEventListener('click', () => {
      more.hidden = !more.hidden;
      about.setAttribute('aria-expanded', String(!more.hidden));
    });
    start.addEventListener('click', () => this.#onStart(preset.name, name.value.trim()));
    name.addEventListener('keydown', (event) => { if (event.key === 'Enter') start.click(); });
    item.append(about, start, more);
    return item;
  }

  #showOutline(name) {
    const item = [...this.#list.children].find((child) => child.dataset.preset === name);
    const outline = this.#outlines.get(name);
    if (!item || !outline?.length) return;
    item.querySelector('.bar').replaceChildren(profile(outline).bar);
    item.querySelector('.phases').replaceChildren(...grouped(outline).map(({ times, segments }) => {
      const line = create('li');
      if (times > 1) line.append(create('span', 'times', `${times} ×`));
      for (const segment of segments) {
        const phase = create('span', 'piece', `${segment.label} ${lengthText(segment.seconds)}`);
        phase.dataset.kind = segment.kind;
        line.append(phase);
      }
      return line;
    }));
  }
}

export class HistoryList {
  #list;
  #coach;
  #entries = [];

  constructor(list, coach) {
    this.#list = list;
    this.#coach = coach;
  }

  async load() {
    this.#entries = (await this.#coach.ask({ verb: 'history', limit: 10 })).history ?? [];
    this.show();
  }

  show() {
    const day = new Intl.DateTimeFormat(language, {
      weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit',
    });
    this.#list.replaceChildren(...this.#entries.map((entry) => {
      const item = create('li', 'past');
      item.append(create('span', 'title', entry.workout));
      const when = new Date(entry.startedAt);
      const facts = [
        Number.isNaN(when.valueOf()) ? entry.startedAt : day.format(when),
        clockText(Math.floor(entry.seconds)), word(entry.outcome),
      ];
      item.append(create('span', 'facts', facts.join(' · ')));
      return item;
    }));
    if (!this.#entries.length) this.#list.append(create('li', 'none', word('noHistory')));
  }
}
