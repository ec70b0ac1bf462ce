// The editor of a preset: its blocks and phases as rows, each with the fields of its keys. It edits the text.

import { sleep } from './coach.js';
import { Fields, input, kindOf, labelled, nameOf } from './fields.js';
import { profile } from './lane.js';
import { button, create, facts, foreign } from './lists.js';
import { clockText, word, wordOr } from './words.js';
import { PresetText, written } from './yaml.js';

// Milliseconds without a letter before the coach is asked.
const rest = 400;
const again = 1000;
// What is to be heard begins within the first, and another text within the second, or nothing comes.
const longest = 12_000;
const pause = 2000;
const most = 200;

const isGroup = (map) => map.entries?.some(({ key, value }) => key === 'phases' && value.items && !value.flow);

export class Editor {
  doc = null;
  // In which the coach announces it; undefined until it has said so.
  language;
  #text = '';
  #drawn = create('div', 'drawn');
  #body = create('div', 'parts');
  #fields = new Fields(this);
  #coach;
  #options;
  #undo = [];
  #open = '';
  #fresh = [];
  #rows = new Map();
  #checks = 0;
  #outline = [];
  // Of the phases in the outline, in the text that was checked.
  #lines = [];
  #checked = '';
  #isText = false;
  #isHeard = false;
  #hearing = 0;

  // options: `onEdit` is called after each change, `hear(fields)` plays, `fail(error)` says why not.
  constructor(...given) {
    [this.#coach, this.#options] = given;
  }

  get elements() { return [this.#drawn, this.#body]; }
  get text() { return this.#text; }
  get title() { return this.doc?.at(['name'])?.value ?? ''; }
  get canUndo() { return this.#undo.length > 0; }

  load(text) {
    this.#undo = [];
    this.#open = '';
    this.#isText = false;
    [this.#said, this.#outline, this.#lines, this.language] = [{}, [], []];
    this.#drawn.replaceChildren();
    this.#take(text);
    this.show();
  }

  #take(text) {
    this.#text = text;
    try {
      this.doc = new PresetText(text);
      const blocks = this.doc.at(['blocks']);
      if (!this.doc.root.entries || blocks && !blocks.items?.every(({ node }) => isGroup(node))) this.doc = null;
    } catch {
      this.doc = null;
    }
    this.#check();
  }

  // key: of the field; further letters there are the same step. isDrawn: rows have come or gone.
  edit(text, key = null, isDrawn = false) {
    if (text === null || text === this.#text) return;
    if (key === null || this.#undo.at(-1)?.key !== key) this.#undo = [...this.#undo, { text: this.#text, key }].slice(-most);
    this.#take(text);
    if (isDrawn || !this.doc && !this.#isText) this.show();
    else for (const each of this.#fresh) each();
    this.#options.onEdit();
  }

  undo() {
    const step = this.#undo.pop();
    if (!step) return;
    this.#take(step.text);
    this.show();
    this.#options.onEdit();
  }

  // After a touch that has not ended yet, and not over letters that are not in the text yet.
  later() { setTimeout(() => document.activeElement.isLate ? this.later() : this.show(), 300); }

  // start, end: of what is selected there, or of the caret.
  focus(key, start, end) {
    const at = CSS.escape(key);
    const element = this.#body.querySelector(`[data-at="${at}"], [data-at="${at}="]`);
    element?.focus();
    if (end >= 0) element?.setSelectionRange?.(start, end);
  }

  show() {
    const { dataset: { at: key } = {}, selectionStart, selectionEnd } = document.activeElement ?? {};
    this.#fresh = [];
    this.#rows.clear();
    const root = this.doc?.root;
    const parts = [];
    if (!root || this.#isText) {
      const box = create('textarea', 'whole');
      box.value = this.#text;
      box.spellcheck = false;
      box.oninput = () => this.edit(box.value, 'text');
      parts.push(labelled(word('text'), box, 'text'));
    } else {
      parts.push(input(word('title'), this.title, 'name', (value) => this.edit(this.doc.at(['name'])
        ? this.doc.set(['name'], value) : this.doc.add([], 'name', written(value), this.doc.root.entries[0]?.key), 'name')));
      if (this.doc.at(['blocks'])) parts.push(this.#list(['blocks']));
      const more = create('details');
      more.open = !this.doc.at(['blocks']);
      more.append(create('summary', '', word('more')), create('div', 'fields', ...this.#fields.of([], true)));
      parts.push(more);
    }
    const kind = button(this.#isText ? 'phases' : 'text', () => { this.#isText = !this.#isText; this.show(); });
    kind.hidden = !root;
    this.#body.replaceChildren(...parts, kind);
    if (key) this.focus(key, selectionStart, selectionEnd);
    this.#mark();
  }

  #list(path) {
    return create('ol', 'steps', ...this.doc.at(path).items.map((_, index) => this.#row([...path, index])));
  }

  // "Hard 4m", "3 ×".
  #summary(path) {
    const map = this.doc?.at(path);
    if (!map?.entries) return '';
    const value = (key) => {
      const node = this.doc.at([...path, key]);
      return node && (node.type === 'text' ? node.value : this.doc.raw(node).replace(/^[[{]|[\]}]$/g, '').trim());
    };
    const kind = kindOf(map);
    if (kind) return `${value('name') || nameOf(kind)} ${value(kind).replace(/^reps: (\d+)$/, '$1 ×')}`;
    const times = value('sets') ?? value('repeat');
    return [times && `${times} ×`, value('ladder'), value('sides'), value('stations')].filter(Boolean).join(' ') || word('once');
  }

  #row(path) {
    const map = this.doc.at(path);
    const key = `${path}`;
    const grip = create('button', 'grip', '↕');
    const about = foreign('button', 'about', '');
    const said = create('div', 'said');
    grip.dataset.at = `${key}^`;
    about.dataset.at = `${key}?`;
    const row = create('li', 'step', create('div', 'line', grip, about), said);
    const refresh = () => {
      about.textContent = this.#summary(path);
      row.dataset.kind = this.doc?.at(path) ? kindOf(this.doc.at(path)) ?? '' : '';
      grip.ariaLabel = `${word('move')}: ${about.textContent}`;
    };
    refresh();
    this.#fresh.push(refresh);
    this.#rows.set(key, { path, row, said });
    const isOpen = this.#open === key;
    about.ariaExpanded = isOpen;
    about.onclick = () => { this.#open = isOpen ? '' : key; this.show(); };
    grip.onkeydown = ({ key: name }) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[name];
      if (by) this.#shift(path, by);
    };
    this.#drag(grip, path);
    if (isOpen) row.append(this.#panel(path, map));
    if (isGroup(map)) row.append(this.#list([...path, 'phases']));
    return row;
  }

  #panel(path, map) {
    const panel = create('div', 'fields');
    const [list, index] = [path.slice(0, -1), path.at(-1)];
    const isBlock = path.length === 2;
    if (map.entries) panel.append(...this.#fields.of(path));
    const acts = create('div', 'acts');
    const act = (name, run) => {
      const each = button(name, run);
      each.dataset.at = `${path}.${name}`;
      acts.append(each);
    };
    // Fields have changed the text since they were drawn. open: the row that is open then.
    const edit = (open, verb, ...given) => {
      const text = this.doc && this.doc[verb](...given);
      if (text !== null) this.#open = open;
      this.edit(text, null, true);
      this.focus(`${open}?`);
    };
    const next = `${[...list, index + 1]}`;
    const insert = (...lines) => edit(next, 'insert', list, index + 1, lines);
    act('up', () => this.#shift(path, -1));
    act('down', () => this.#shift(path, 1));
    act('copy', () => edit(next, 'copy', path));
    if (this.doc.cut(path) !== null) act('remove', () => edit('', 'cut', path));
    if (!isBlock) act('repeat', () => edit(`${path}`, 'wrap', path, 'repeat: 2'));
    if (!isBlock) act('addPhase', () => insert('- work: 30s'));
    else act('addBlock', () => insert('- sets: 3', '  phases:', '    - work: 30s', '    - rest: 15s'));
    if (!isBlock && !isGroup(map) && this.#lines.length) act('hear', async (each) => {
      // Its number is that of the text that was checked.
      if (this.#checked !== this.#text) await this.#check(0);
      const phase = this.#lines.findIndex((line) => this.#isIn(path, line));
      const code = this.#checked === this.#text ? 'no-effect' : 503;
      // A text with a mistake is refused, and the coach says it. A phase that the only set leaves out is not heard.
      if (code === 503 || phase < 0 && this.#lines.length) this.#options.fail({ code, message: '-' });
      else this.#options.hear(phase < 0 ? {} : { phase }, each);
    });
    panel.append(acts);
    return panel;
  }

  // Whether a line of the text, from 1, is one of the part's.
  #isIn(path, line) {
    const part = this.doc?.at(path.slice(0, -1))?.items?.[path.at(-1)];
    const lineOf = (index) => this.#text.slice(0, index).split('\n').length;
    return part && lineOf(part.start) <= line && line <= lineOf(part.end - 1);
  }

  // Moving. A place is a list and a number in it; those of phases go through all blocks and groups.
  #places(path) {
    const own = (list, inner) => [...this.doc.at(list).items.flatMap(({ node }, index) =>
      [[list, index], ...inner && isGroup(node) ? own([...list, index, 'phases'], true) : []]), [list, this.doc.at(list).items.length]];
    if (path.length === 2) return own(['blocks']);
    return this.doc.at(['blocks']).items.flatMap((_, index) => own(['blocks', index, 'phases'], true));
  }

  #shift(path, by) {
    const places = this.#places(path);
    const [list, index] = [path.slice(0, -1), path.at(-1)];
    const find = (at) => places.findIndex(([each, number]) => `${each}` === `${list}` && number === at);
    this.#move(path, by < 0 ? places[find(index) - 1] : places[find(index + 1) + 1]);
  }

  #move(path, place) {
    const text = place && this.doc.move(path, ...place);
    if (!text || text === this.#text) return;
    // What is behind the place that it has left moves up.
    let gone = path;
    while (gone.length > 3 && this.doc.at(gone.slice(0, -1)).items.length === 1) gone = gone.slice(0, -2);
    const to = [...place[0], place[1]];
    const at = gone.length - 1;
    if (`${to.slice(0, at)}` === `${gone.slice(0, at)}` && to[at] > gone[at]) to[at] -= 1;
    this.#open &&= `${to}`;
    this.edit(text, null, true);
    this.focus(`${to}^`);
  }

  #drag(grip, path) {
    let place = null;
    const mark = (row) => {
      for (const each of this.#body.querySelectorAll('.drop')) each.classList.remove('drop');
      row?.classList.add('drop');
    };
    grip.onpointerdown = (event) => grip.setPointerCapture(event.pointerId);
    grip.onpointermove = ({ clientY, pointerId }) => {
      if (!grip.hasPointerCapture(pointerId)) return;
      scrollBy(0, clientY < 140 ? -9 : clientY > innerHeight - 60 ? 9 : 0);
      const middle = (row) => { const box = row.firstChild.getBoundingClientRect(); return box.top + box.height / 2; };
      const places = this.#places(path);
      const next = places.find((each) => { const row = this.#rows.get(`${each.flat()}`)?.row; return row && middle(row) > clientY; });
      place = next ?? places.at(-1);
      mark(next && this.#rows.get(`${next.flat()}`).row);
    };
    grip.onpointerup = () => { mark(); if (place) this.#move(path, place); place = null; };
    grip.onpointercancel = () => { mark(); place = null; };
  }

  // What the coach says of the text.
  async #check(wait = rest) {
    this.#checks += 1;
    const count = this.#checks;
    await sleep(wait);
    if (count !== this.#checks) return;
    const text = this.#text;
    let check;
    try {
      ({ check } = await this.#coach.ask({ verb: 'preset-check', workout: text }));
    } catch ({ code }) {
      if (count !== this.#checks) return;
      if (code === 'too-large') {
        this.#said = { fault: [{ message: word('refused-too-large') }] };
        this.#mark();
      }
      // It checks another text, or is not there; an older one does not know it.
      if ((typeof code !== 'string' || code === 'full') && this.#body.offsetParent) this.#check(again);
      return;
    }
    if (count !== this.#checks || !check) return;
    const isNew = JSON.stringify(this.#outline) !== JSON.stringify(check.outline ?? []);
    this.#outline = check.outline ?? [];
    this.#lines = check.lines ?? [];
    this.#checked = text;
    this.language = check.language ?? this.language;
    const hear = button(this.#isHeard ? 'stop' : 'hear', async () => {
      const isDone = await this.#options.hear(this.#isHeard ? { stop: true } : {}, hear);
      this.heard(longest, Boolean(isDone) && !this.#isHeard);
    });
    const line = create('div', 'head', create('p', 'facts', check.faults?.length ? word('faulty') : facts({ ...check, sets: check.sets ?? 0 })), hear);
    hear.hidden = check.faults?.length > 0;
    this.#drawn.replaceChildren(...this.#outline.length ? [profile(this.#outline).bar] : [], line);
    this.#said = { fault: check.faults, remark: check.notes };
    // The button to hear one phase needs the outline.
    if (isNew && this.#open && !this.#body.contains(document.activeElement)) this.show();
    else this.#mark();
  }

  // For so many milliseconds a text is still heard, and the next one may follow.
  heard(wait, isHeard = this.#isHeard) {
    clearTimeout(this.#hearing);
    this.#isHeard = isHeard;
    const hear = this.#drawn.querySelector('button');
    if (hear) hear.textContent = word(isHeard ? 'stop' : 'hear');
    if (isHeard) this.#hearing = setTimeout(() => this.heard(0, false), wait + pause);
  }

  // Lists by the class that they are shown with.
  #said = {};

  // Each line where it belongs.
  #mark() {
    for (const { said } of this.#rows.values()) said.replaceChildren();
    for (const each of this.#drawn.querySelectorAll('.fault, .remark')) each.remove();
    for (const [kind, list] of Object.entries(this.#said)) {
      for (const each of list ?? []) this.#tell(kind, each);
    }
  }

  #tell(kind, { line, because, about = [], at, count, message }) {
    const parts = ['room', 'own-text'].includes(because) ? about.map(nameOf) : about;
    const text = [wordOr(message, `note-${because}`, { about: parts.join(', ') }),
      ...at >= 0 ? [clockText(Math.floor(at))] : [], ...count > 1 ? [`${count} ×`] : []].join(' · ');
    const rows = [...this.#rows.values()].filter(({ path }) => this.#isIn(path, line));
    (rows.at(-1)?.said ?? this.#drawn).append(foreign('p', kind, rows.length || !line ? text : `${line}: ${text}`));
  }
}
