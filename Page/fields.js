// The fields of a part of a preset: one for each of its keys, and a menu of those that it may have.

import { create } from './lists.js';
import { word, wordIn, wordOr } from './words.js';
import { PresetText } from './yaml.js';

export const kinds = ['prepare', 'warmup', 'low', 'high', 'work', 'rest', 'recovery', 'cooldown'];
export const kindOf = (map) => map.entries?.find(({ key }) => kinds.includes(key))?.key;
// Of a key of a preset; some are called otherwise than elsewhere on the page.
export const nameOf = (key) => wordOr(word(key), `key-${key}`);

// What a value may be, by its key, with a first text; '' is a text alone.
const phases = Object.fromEntries(kinds.map((kind) => [kind, '1m']));
const modes = {
  length: { '': '30s', reps: '10', until: 'next' },
  target: { watts: '190 to 210', power: '95 % FTP', 'heart-rate': '140 to 150', cadence: '85 to 95', 'stroke-rate': '24', pace: '4:30 /km',
    speed: '12' },
  between: phases,
  switch: { '': '10s', ...phases },
};
const ofPhase = { name: '', target: '{watts: 200}', say: '', intensity: 'RPE 7', note: '', last: 'skip' };
const ofGroup = { repeat: '2', ladder: '[30s, 1m, 30s]', sides: '', switch: '10s', count: 'aloud' };
const ofBlock = { sets: '3', between: '{rest: 1m}', ...ofGroup, stations: '[A, B]' };
// A map has one of these, and some keys only beside one of them.
const times = ['sets', 'repeat', 'ladder', 'sides', 'stations'];
const beside = { switch: 'sides', between: 'sets' };
const ofFlat = { prepare: '10s', warmup: '5m', rest: '1m', cooldown: '5m' };
const ofAll = { description: '', for: '', language: 'en', density: 'normal', countdown: '3' };

// A label with an input or another element.
export function labelled(text, element, key) {
  Object.assign(element, { autocomplete: 'off', dir: 'auto' }).dataset.at = key;
  return create('label', 'choice', create('span', '', text), element);
}

export function input(text, value, key, onInput) {
  const box = create('input');
  Object.assign(box, { type: 'text', value });
  box.oninput = () => onInput(box.value);
  return labelled(text, box, key);
}

export function menu(text, options, value, key, onChange) {
  const box = create('select');
  box.append(...options.map((each) => [each].flat()).map(([each, name = each]) => new Option(name, each)));
  box.value = value;
  box.onchange = () => onChange(box.value, box);
  return labelled(text, box, key);
}

// editor: has `doc`, `language`, `edit(text, key)`, and `later()`, which draws anew.
export class Fields {
  #editor;

  constructor(editor) { this.#editor = editor; }

  get #doc() { return this.#editor.doc; }

  // Those of a map; isRoot: of the whole preset.
  of(path, isRoot) {
    const map = this.#doc.at(path);
    const kind = isRoot ? null : kindOf(map);
    const fields = [];
    for (const { key, value } of map.entries) {
      const place = [...path, key];
      if (key === 'phases' && !value.flow && value.items || isRoot && ['name', 'blocks'].includes(key)) continue;
      if (key === kind) {
        fields.push(menu(word('kind'), kinds.map((each) => [each, nameOf(each)]), kind, `${place}!`, (other) =>
          this.#editor.edit(this.#doc.rename(place, other), null, true)), ...this.#choice(place, modes.length));
      } else if (Object.hasOwn(modes, key)) fields.push(...this.#choice(place, modes[key], true));
      else fields.push(this.#field(place));
    }
    const isGroup = map.entries.some(({ key }) => key === 'phases');
    const may = isRoot ? { ...this.#doc.at(['blocks']) ? {} : ofFlat, ...ofAll } : !isGroup ? ofPhase : path.length > 2 ? ofGroup : ofBlock;
    const has = (key) => map.entries.some((entry) => entry.key === key);
    const more = Object.keys(may).filter((key) => !has(key) && (!beside[key] || has(beside[key])));
    if (more.length) fields.push(menu(word('add'), [['', '…'], ...more.map((key) => [key, nameOf(key)])], '', `${path}+`, async (key) => {
      const before = key === 'name' || key === 'count' || isRoot ? undefined : 'phases';
      // Sides are called in the language in which the workout is announced.
      const raw = (key === 'sides' ? `[${await wordIn(this.#doc.at(['language'])?.value ?? this.#editor.language, 'leftRight')}]` : may[key]) || '""';
      // It may have gone while that was looked up.
      if (!this.#doc?.at(path)) return;
      const other = times.includes(key) && times.find(has);
      let text = other ? new PresetText(this.#doc.rename([...path, other], key)).put([...path, key], raw) : this.#doc.add(path, key, raw, before);
      for (const each of Object.keys(beside)) if (beside[each] === other && has(each)) text = new PresetText(text).remove([...path, each]);
      this.#editor.edit(text, null, true);
      this.#editor.focus(`${[...path, key]}`);
    }));
    return fields;
  }

  #label(path) { return nameOf(path.at(-1)); }

  // It may have gone meanwhile.
  #set(path, value) { if (this.#doc?.at(path)) this.#editor.edit(this.#doc.set(path, value), `${path}`); }

  // A text, what stands between brackets, or lines as they are.
  #field(path, label = this.#label(path)) {
    const node = this.#doc.at(path);
    const key = `${path}`;
    const field = node.type === 'text' ? input(label, node.value, key, (value) => this.#set(path, value))
      : node.flow ? input(label, this.#doc.raw(node).slice(1, -1), key, () => {}) : labelled(label, create('textarea'), key);
    const box = field.lastChild;
    box.isLate = node.type !== 'text';
    if (!node.flow && node.type !== 'text') {
      box.value = this.#doc.source(path);
      box.rows = box.value.split('\n').length;
    }
    // An emptied one goes.
    box.onchange = () => {
      const now = this.#doc?.at(path);
      if (!now) return;
      if (!box.value.trim()) this.#editor.edit(this.#doc.remove(path), key);
      else if (now.type === 'text') return;
      else if (!now.flow) this.#editor.edit(this.#doc.rewrite(path, box.value), key);
      else {
        const ends = path.at(-1) === 'ladder' && / to /.test(box.value) ? ['', ''] : [this.#doc.text[now.start], this.#doc.text[now.end - 1]];
        this.#editor.edit(this.#doc.put(path, ends.join(box.value)), key);
      }
      this.#editor.later();
    };
    return field;
  }

  // A text, or a map of which the first key says what it is.
  #choice(path, kindsOf, mayGo = false) {
    const node = this.#doc.at(path);
    if (node.items) return [this.#field(path)];
    const mode = node.entries?.[0]?.key ?? '';
    const label = kindsOf === modes.length ? word('length') : this.#label(path);
    const names = [...new Set([...Object.keys(kindsOf), mode])].map((key) => [key, key ? nameOf(key) : word('time')]);
    const fields = names.length < 2 ? [] : [menu(label, mayGo ? [['-', '–'], ...names] : names, mode, `${path}=`, (key) =>
      this.#editor.edit(key === '-' ? this.#doc.remove(path) : this.#doc.put(path, key ? `{${key}: ${kindsOf[key]}}` : kindsOf[key]), null, true))];
    if (!node.entries) return [...fields, input(`${label}: ${word('time')}`, node.value, `${path}`, (value) => this.#set(path, value))];
    return [...fields, ...node.entries.map(({ key }) => this.#field([...path, key], `${label}: ${nameOf(key)}`))];
  }
}
