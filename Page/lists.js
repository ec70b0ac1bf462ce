// The presets, a short row each: found by words and by folders, with those that were used last before the others.

import { kept } from './coach.js';
import { clockText, word } from './words.js';

export const create = (name, className = '', ...children) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
};

// A text that others have written, in whatever direction.
export const foreign = (name, className, text) => {
  const element = create(name, className, text);
  element.dir = 'auto';
  return element;
};

export function button(name, run, className) {
  const element = create('button', className, word(name));
  element.onclick = () => run(element);
  return element;
}

export const lengthText = (seconds) =>
  seconds === undefined ? word('openLength') : clockText(Math.round(seconds));

// "4:10 · 8 sets".
export function facts(preset) {
  const length = preset.aboutSeconds === undefined
    ? lengthText(preset.seconds) : `≈ ${lengthText(preset.aboutSeconds)}`;
  return preset.error ? word('faulty') : [length, preset.sets > 1 ? word('sets', preset) : ''].filter(Boolean).join(' · ');
}

// Facts on one line, each in its own direction.
export const line = (parts) =>
  create('span', 'facts', ...parts.filter(Boolean).flatMap((part, index) => [index ? ' · ' : '', create('bdi', '', part)]));

// A list of texts that this browser keeps, the latest first.
function keptList(key) {
  return [kept.read(key, [])].flat().filter((each) => typeof each === 'string');
}
function keepFirst(key, text, most) {
  const list = [text, ...keptList(key).filter((each) => each !== text)].slice(0, most);
  kept.set(key, JSON.stringify(list));
}

// What is the same stays: a touch that has begun there ends there, and the focus is not lost.
export function fill(list, items) {
  const wanted = items.map((item) => item.outerHTML);
  const last = new Map(wanted.map((text, index) => [text, index]));
  const olds = [...list.children];
  const texts = olds.map((old) => old.outerHTML);
  let at = 0;
  items.forEach((item, index) => {
    let next = at;
    while (next < olds.length && texts[next] !== wanted[index] && !(last.get(texts[next]) > index)) next += 1;
    if (texts[next] !== wanted[index]) return list.insertBefore(item, olds[at] ?? null);
    while (at < next) olds[at++].remove();
    at += 1;
  });
  while (at < olds.length) olds[at++].remove();
}

// Buttons of which one or none is chosen. names: [value, text].
export function chips(group, names, chosen, onChoose) {
  fill(group, names.map((each) => [each].flat()).map(([value, text = value]) => {
    const button = foreign('button', 'chip', text);
    button.ariaPressed = [chosen].flat().includes(value);
    button.onclick = async () => {
      await onChoose(value);
      [...group.children].find((each) => each.textContent === text)?.focus();
    };
    return button;
  }));
}

// The same for people: those whose names were used last here, and at a touch the others. all: [value, text] before them.
const namesKey = 'cuecoach-names';
const namesMost = 8;
export const keepName = (name) => keepFirst(namesKey, name, namesMost);
export function people(group, names, chosen, onChoose, ...all) {
  const others = [...new Set([...keptList(namesKey).filter((each) => names.has(each) || !all.length), ...names])];
  const few = group.isWhole ? others : others.filter((each, index) => index < namesMost || [chosen].flat().includes(each));
  group.hidden = !others.length;
  group.ariaLabel = word('people');
  const more = few.length < others.length ? [[group, word('more')]] : [];
  // A button stays as long as its text does, and who is chosen changes.
  group.draw = () => people(group, names, chosen, onChoose, ...all);
  chips(group, [...all, ...few, ...more], chosen, (value) => {
    if (value !== group) return onChoose(value);
    group.isWhole = true;
    group.draw();
  });
}

// A text as a file to keep.
export function offer(name, text) {
  const link = Object.assign(create('a'), { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Letters without their accents and cases.
export const plain = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').normalize().toLowerCase();

const personKey = 'cuecoach-person';
const usedKey = 'cuecoach-used';
const usedMost = 6;
// Of a long list so many rows at once are drawn, and as many more where its end comes near.
const few = 100;

export class PresetList {
  #finder;
  #list;
  #coach;
  #card;
  #onOpen;
  #command;
  #training;
  // As of the coach's `people`.
  #people;
  #presets = [];
  #isLoaded = false;
  #loads = 0;
  #loading;
  #folder = null;
  // The name of the preset whose card is open.
  #open = null;
  #most = few;
  #end = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    this.#most += few;
    this.#showRows();
  }, { rootMargin: '999px' });

  // finder: with the search and the folders. onOpen: called when a card is opened. command(fields, options): a tap. training():
  // names of those who train.
  constructor(...given) {
    [this.#finder, this.#list, this.#coach, this.#card, this.#onOpen, this.#command, this.#training] = given;
    this.#search.oninput = () => {
      this.#most = few;
      this.#showRows();
    };
  }

  get #search() { return this.#finder.querySelector('input'); }

  #find(name) { return this.#presets.find((preset) => preset.name === name); }

  has(name) { return !!this.#find(name); }

  titleOf(name) { return this.#find(name)?.workout ?? name; }

  // Where it is called again meanwhile, both end with the later one.
  load() { return this.#loading = this.#load(); }

  async #load() {
    const presets = [], voices = [];
    this.#loads += 1;
    const load = this.#loads;
    // A long list comes in several answers.
    for (let last = {}; last;) {
      const answer = await this.#coach.ask({ verb: 'presets', after: last.name, folder: last.folder });
      presets.push(...answer.presets);
      voices.push(...answer.voices ?? []);
      document.body.classList.toggle('fixed', answer.edit === false);
      last = answer.omitted && answer.presets.at(-1);
    }
    if (load !== this.#loads) return this.#loading;
    this.#isLoaded = true;
    this.#card.sheet.voices = voices;
    this.#loadPeople();
    if (JSON.stringify(presets) === JSON.stringify(this.#presets)) return this.#list.childElementCount || this.show();
    this.#presets = presets;
    this.show();
    this.#card.update(presets);
  }

  // Why there is none, where none has been read.
  lack(text) {
    if (!this.#isLoaded) fill(this.#list, [create('li', 'none', text)]);
  }

  // It has been started here, for a person where one is named.
  use(name, person) {
    if (name) keepFirst(usedKey, name, usedMost);
    if (person) kept.set(personKey, person);
    this.#loadPeople();
  }

  // What the coach knows of people; an older one knows nothing.
  async #loadPeople() {
    ({ people: this.#people } = await this.#coach.know({ verb: 'people' }));
    const isNew = (name) => this.#people?.every((each) => each.name !== name);
    for (const name of this.#training().filter(isNew)) this.#people.push({ name, favourites: [], recent: [] });
    this.#showRows();
  }

  get #person() { return this.#people?.find(({ name }) => name === (kept.get(personKey) ?? '')) ?? { name: '', favourites: [], recent: [] }; }

  async #favour(preset, star) {
    const { name: person, favourites } = this.#person;
    if (await this.#command({ verb: 'favourite', preset, person, on: !favourites.includes(preset) }, { button: star })) await this.#loadPeople();
    this.#button(preset)?.nextSibling?.focus();
  }

  show() {
    const folders = [...new Set(this.#presets.map(({ folder }) => folder).filter(Boolean))];
    if (!folders.includes(this.#folder)) this.#folder = null;
    const group = this.#finder.querySelector('.chips');
    group.hidden = !folders.length;
    group.ariaLabel = word('folders');
    chips(group, [[null, word('everything')], ...folders], this.#folder, (folder) => {
      this.#folder = folder;
      this.show();
    });
    this.#showRows();
  }

  #showRows() {
    if (!this.#isLoaded) return;
    const words = plain(this.#search.value).split(/\s+/).filter(Boolean);
    const found = this.#presets.filter((preset) => {
      if (this.#folder !== null && preset.folder !== this.#folder) return false;
      const text = plain([preset.name, preset.workout, preset.folder, preset.description, ...preset.tags ?? []].join(' '));
      return words.every((each) => text.includes(each));
    });
    const { favourites, recent } = this.#person;
    const named = (names) => names.map((name) => found.find((preset) => preset.name === name)).filter(Boolean);
    const liked = named(favourites);
    const used = named([...new Set([...keptList(usedKey), ...recent])]).filter((each) => !liked.includes(each)).slice(0, usedMost);
    const names = new Set((this.#people ?? []).map(({ name }) => name).filter(Boolean));
    people(this.#finder.querySelector('#who'), names, this.#person.name, (name) => {
      kept.set(personKey, name);
      this.#showRows();
    }, ['', word('all')]);
    const items = [];
    const group = (title, presets) => {
      if (title && presets.length) items.push(() => foreign('li', 'folder', title));
      for (const preset of presets) items.push(() => this.#row(preset));
    };
    group(word('favourites'), liked);
    group(word('used'), used);
    const others = found.filter((preset) => !used.includes(preset) && !liked.includes(preset));
    // Those of one folder come together; those in none are first.
    for (const folder of new Set(others.map((preset) => preset.folder))) {
      group(folder ?? (items.length ? word('everything') : ''), others.filter((preset) => preset.folder === folder));
    }
    if (!items.length) items.push(() => create('li', 'none', word(this.#presets.length ? 'nothingFound' : 'noPresets')));
    fill(this.#list, items.slice(0, this.#most).map((make) => make()));
    this.#end.disconnect();
    if (items.length > this.#most) this.#end.observe(this.#list.lastChild);
  }

  #row(preset) {
    const about = create('button', 'about', foreign('span', 'title', preset.workout ?? preset.name), create('span', 'facts', facts(preset)));
    about.ariaExpanded = this.#open === preset.name;
    about.onclick = () => this.open(preset.name);
    const item = create('li', 'preset', about);
    item.dataset.preset = preset.name;
    if (this.#people) {
      const isLiked = this.#person.favourites.includes(preset.name);
      const star = button('favourites', () => this.#favour(preset.name, star), 'star');
      star.textContent = isLiked ? '★' : '☆';
      star.ariaPressed = isLiked;
      star.ariaLabel = `${word('favourites')}: ${about.firstChild.textContent}`;
      item.append(star);
    }
    return item;
  }

  // Its card.
  open(name) {
    const preset = this.#find(name);
    if (!preset) return;
    this.mark(name);
    this.#onOpen();
    this.#card.open(preset, () => this.#button(name)?.focus());
  }

  #button(name) {
    return [...this.#list.children].find((item) => item.dataset.preset === name)?.querySelector('.about');
  }

  // Whose card is open; null for none.
  mark(name) {
    this.#button(this.#open)?.setAttribute('aria-expanded', 'false');
    this.#open = name;
    this.#button(name)?.setAttribute('aria-expanded', 'true');
  }
}
