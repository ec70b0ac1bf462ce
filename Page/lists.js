// The lists of the first view: presets with their phases, and the last sessions.

import { kept } from './coach.js';
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

// A button takes no second tap for so long after the answer, milliseconds.
const afterStart = 1000;

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

// The voice of the next starts, where the coach offers a choice.
export class VoiceMenu {
  #menu;
  #key = 'cuecoach-voice';
  #voices = [];

  constructor(menu) {
    this.#menu = menu;
    menu.addEventListener('change', () => kept.set(this.#key, menu.value));
  }

  // '' for the usual one.
  get chosen() { return this.#menu.value; }

  show(voices = this.#voices) {
    this.#voices = voices;
    this.#menu.replaceChildren(
      new Option(word('usualVoice'), ''), ...voices.map((voice) => new Option(voice, voice)));
    const choice = kept.get(this.#key);
    this.#menu.value = voices.includes(choice) ? choice : '';
    this.#menu.parentElement.hidden = !voices.length;
  }
}

export class PresetList {
  #list;
  #coach;
  #voices;
  #onStart;
  #presets = [];
  #outlines = new Map();
  // Presets whose start has just been pressed: a second tap begins nothing.
  #starting = new Set();

  // onStart(preset, lane): lane is '' where no name was given.
  constructor(list, coach, voices, onStart) {
    this.#list = list;
    this.#coach = coach;
    this.#voices = voices;
    this.#onStart = onStart;
  }

  async load() {
    const { presets, voices } = await this.#coach.ask({ verb: 'presets' });
    this.#voices.show(voices ?? []);
    const known = new Map(this.#presets.map((preset) => [preset.name, JSON.stringify(preset)]));
    for (const preset of presets) {
      // A preset that was edited has other phases.
      if (known.get(preset.name) !== JSON.stringify(preset)) this.#outlines.delete(preset.name);
    }
    const isNew = JSON.stringify(presets) !== JSON.stringify(this.#presets);
    this.#presets = presets;
    if (isNew) this.show();
    for (const { name, error } of presets) {
      if (error || this.#outlines.has(name)) continue;
      const answer = await this.#coach.ask({ verb: 'presets', preset: name, outline: true });
      this.#outlines.set(name, answer.presets?.[0]?.outline ?? []);
      this.#showOutline(name);
    }
  }

  // What was opened and typed stays.
  show() {
    const before = new Map([...this.#list.children].map((item) => [item.dataset.preset, item]));
    const items = [];
    let folder;
    for (const preset of this.#presets) {
      if (preset.folder && preset.folder !== folder) items.push(create('li', 'folder', preset.folder));
      folder = preset.folder;
      items.push(this.#item(preset, before.get(preset.name)));
    }
    this.#list.replaceChildren(...items);
    if (!this.#presets.length) this.#list.append(create('li', 'none', word('noPresets')));
    for (const { name } of this.#presets) this.#showOutline(name);
  }

  #item(preset, before) {
    const item = create('li', 'preset');
    item.dataset.preset = preset.name;
    const about = create('button', 'about');
    about.type = 'button';
    about.append(create('span', 'title', preset.workout ?? preset.name));
    const facts = [preset.aboutSeconds === undefined
      ? lengthText(preset.seconds) : `≈ ${lengthText(preset.aboutSeconds)}`];
    if (preset.sets > 1) facts.push(word('sets', { sets: preset.sets }));
    about.append(create('span', 'facts', preset.error ?? facts.join(' · ')));
    if (preset.description) about.append(create('span', 'description', preset.description));
    about.append(create('span', 'bar'));
    const start = create('button', 'start', word('start'));
    start.type = 'button';
    start.disabled = Boolean(preset.error) || this.#starting.has(preset.name);
    start.setAttribute('aria-label', `${word('start')}: ${preset.workout ?? preset.name}`);
    const more = create('div', 'more');
    more.hidden = before?.querySelector('.more').hidden ?? true;
    about.setAttribute('aria-expanded', String(!more.hidden));
    more.append(create('ol', 'phases'));
    const label = create('label', '', word('name'));
    const name = create('input', '');
    name.type = 'text';
    name.maxLength = 40;
    name.autocomplete = 'off';
    name.value = before?.querySelector('input').value ?? '';
    label.append(name);
    more.append(label);
    about.addEventListener('click', () => {
      more.hidden = !more.hidden;
      about.setAttribute('aria-expanded', String(!more.hidden));
    });
    start.addEventListener('click', () => this.#start(preset, name.value.trim()));
    name.addEventListener('keydown', (event) => { if (event.key === 'Enter') start.click(); });
    item.append(about, start, more);
    return item;
  }

  async #start(preset, lane) {
    this.#setStarting(preset, true);
    await this.#onStart(preset.name, lane);
    setTimeout(() => this.#setStarting(preset, false), afterStart);
  }

  #setStarting(preset, isStarting) {
    if (isStarting) this.#starting.add(preset.name);
    else this.#starting.delete(preset.name);
    const button = this.#itemOf(preset.name)?.querySelector('.start');
    if (button) button.disabled = isStarting || Boolean(preset.error);
  }

  #itemOf(name) {
    return [...this.#list.children].find((item) => item.dataset.preset === name);
  }

  #showOutline(name) {
    const item = this.#itemOf(name);
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
