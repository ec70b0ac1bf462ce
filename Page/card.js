// A preset's card: what it is, and how it is started.

import { profile } from './lane.js';
import { button, create, facts, foreign, keepName, lengthText, people } from './lists.js';
import { StartSheet } from './sheet.js';
import { word } from './words.js';

// For so long after the answer no second tap hits the button, or what is under the card.
// Milliseconds.
const afterStart = 1000;
const stays = 400;
// Nor does it take the second tap on a row.
const afterOpen = 500;

// Repeated phases in one: [{ times, segments }].
export function grouped(outline) {
  const same = (one, other) => one.label === other.label && one.seconds === other.seconds && one.reps === other.reps;
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

export class PresetCard {
  sheet = new StartSheet();
  #card;
  #coach;
  #clock;
  #onStart;
  #onClose;
  #onEdit;
  #preset = null;
  #openings = 0;
  #back = () => {};
  // What the coach says of a preset when it is asked for that one.
  #known = new Map();
  #name = create('input');
  #start = create('button', 'start');
  #people = create('div', 'chips');
  #others = new Set();
  // By preset, what shuts its start for a while: it was pressed, or its card has just come.
  #starting = new Map();

  // onStart(fields, button): starts; resolves to whether that was done.
  // onEdit(name): its text is to be changed.
  constructor(...given) {
    [this.#card, this.#coach, this.#clock, this.#onStart, this.#onClose, this.#onEdit] = given;
    Object.assign(this.#name, { type: 'text', maxLength: 400, autocomplete: 'off', id: 'name', dir: 'auto' });
    Object.assign(this.#start, { id: 'start' });
    this.#people.role = 'group';
    this.#start.onclick = () => this.#begin();
    this.#name.oninput = () => this.#showPeople();
    this.#name.onkeydown = (event) => { if (event.key === 'Enter') this.#start.click(); };
  }

  // onBack: called when it is closed by hand.
  open(preset, onBack) {
    this.#preset = preset;
    this.#openings += 1;
    this.#back = onBack;
    this.#setStarting(preset.name, true);
    setTimeout(() => this.#setStarting(preset.name, false), afterOpen);
    this.#name.value = '';
    this.sheet.clear();
    this.#card.hidden = false;
    this.show();
    this.#card.querySelector('h2').focus({ preventScroll: true });
    this.#card.scrollIntoView({ block: 'nearest' });
    this.#load(preset);
  }

  close() {
    if (!this.#preset) return;
    this.#hide();
    this.#back();
  }

  #hide() {
    this.#preset = null;
    this.#card.hidden = true;
    this.#onClose();
  }

  // The list has been read anew: what was typed stays.
  update(presets) {
    this.#known.clear();
    if (!this.#preset) return;
    const preset = presets.find(({ name }) => name === this.#preset.name);
    if (!preset) return this.#hide();
    this.#preset = preset;
    this.show();
    this.#load(preset);
  }

  // Names of people who have trained.
  offer(names) {
    this.#others = names;
    this.#showPeople();
  }

  async #load({ name, error }) {
    if (error || this.#known.has(name)) return;
    const answer = await this.#coach.ask({ verb: 'presets', preset: name, outline: true }).catch(() => null);
    if (!answer?.presets?.[0]) return;
    this.#known.set(name, answer.presets[0]);
    if (this.#preset?.name === name) this.show();
  }

  show() {
    if (!this.#preset) return;
    const preset = { ...this.#preset, ...this.#known.get(this.#preset.name) };
    const focused = document.activeElement;
    const title = foreign('h2', '', preset.workout ?? preset.name);
    title.tabIndex = -1;
    const head = create('div', 'head', title, button('close', () => this.close(), 'close'));
    const name = create('label', 'choice', create('span', '', word('name')), this.#name);
    this.#start.textContent = word('start');
    this.#start.ariaLabel = `${word('start')}: ${title.textContent}`;
    this.#start.disabled = this.#isShut;
    this.#showPeople();
    const outline = preset.outline ?? [];
    const fields = create('div', 'fields', name, this.#people, ...this.sheet.parts, this.#start);
    this.#card.replaceChildren(head, create('p', 'facts', facts(preset)),
      ...preset.error ? [foreign('p', 'fault', preset.error)] : [],
      ...outline.length ? [profile(outline).bar] : [], fields,
      ...this.#about(preset), ...outline.length ? [this.#phases(outline)] : [], button('edit', () => this.#onEdit(preset.name), 'edit'));
    if (this.#card.contains(focused)) focused.focus({ preventScroll: true });
    else if (focused?.tagName === 'H2') title.focus({ preventScroll: true });
  }

  #about(preset) {
    const parts = [];
    if (preset.description) parts.push(foreign('p', 'description', preset.description));
    const list = create('dl', 'origin');
    for (const [key, text] of [['for', preset.for], ['author', preset.author], ['source', preset.source],
      ['tags', preset.tags?.join(', ')]]) {
      if (text) list.append(create('dt', '', word(key)), foreign('dd', '', text));
    }
    if (list.childElementCount) parts.push(list);
    return parts;
  }

  #phases(outline) {
    return create('ol', 'phases', ...grouped(outline).map(({ times, segments }) => {
      const line = create('li');
      if (times > 1) line.append(create('span', 'times', `${times} ×`));
      for (const segment of segments) {
        const phase = foreign('span', 'piece', `${segment.label} ${segment.reps ? `${segment.reps} ×` : (segment.mayEndEarly ? '≤ ' : '') + lengthText(segment.seconds)}`);
        phase.dataset.kind = segment.kind;
        line.append(phase);
      }
      return line;
    }));
  }

  #showPeople() {
    people(this.#people, this.#others, this.#names, (each) => {
      const chosen = this.#names;
      this.#name.value = (chosen.includes(each) ? chosen.filter((other) => other !== each) : [...chosen, each]).join(', ');
      this.#showPeople();
    });
  }

  // Several begin together.
  get #names() { return [...new Set(this.#name.value.split(',').map((each) => each.trim()).filter(Boolean))]; }

  get #isShut() { return Boolean(this.#preset?.error) || this.#starting.get(this.#preset?.name) > 0; }

  #setStarting(name, isStarting) {
    this.#starting.set(name, (this.#starting.get(name) ?? 0) + (isStarting ? 1 : -1));
    this.#start.disabled = this.#isShut;
  }

  async #begin() {
    const { name: preset } = this.#preset;
    const names = this.#names;
    const tapped = performance.now();
    const opening = this.#openings;
    this.#setStarting(preset, true);
    const fields = this.sheet.fields(this.#clock.now());
    const isDone = await this.#onStart({ preset, ...names.length > 1 ? { lanes: names } : names.length && { lane: names[0] }, ...fields }, this.#start);
    setTimeout(() => this.#setStarting(preset, false), afterStart);
    if (!isDone) return;
    names.reverse().forEach(keepName);
    setTimeout(() => { if (this.#openings === opening && this.#preset) fields.days ? this.close() : this.#hide(); },
      Math.max(0, tapped + stays - performance.now()));
  }
}
