// Presets of one's own: made, copied, changed, renamed, deleted and taken back; a change that is not saved yet is kept here.

import { kept } from './coach.js';
import { Editor } from './editor.js';
import { input, menu } from './fields.js';
import { button, create, foreign, offer, plain } from './lists.js';
import { dateText, word } from './words.js';

const draftKey = 'cuecoach-draft';
const fresh = 'blocks:\n  - phases:\n      - prepare: 10s\n  - sets: 8\n    phases:\n      - work: 30s\n      - rest: 15s\n';

// Bytes of a file that a request has, and of a preset.
const piece = 36_000;
const most = 48 * 1024;

// Null for a file in another encoding, of which letters would be lost.
async function utf8(file) {
  try { return { text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) }; } catch { return null; }
}

// A name for a file, with room for a number behind it.
const fileName = (text) => plain(text).replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 36).replace(/^-+|-+$/g, '');

export class OwnPresets {
  #section;
  #coach;
  #options;
  editor;
  // What is edited: its `name`, the one it was saved as (`former`) with its `tag`, the text that was saved (`base`), its `versions`;
  // of a copy its `model`.
  #entry = null;
  // The text of this tab that was left last.
  #draft;
  #head = create('div', 'head');
  #copy = foreign('p', 'facts', '');
  #foot = create('div', 'fields');
  #clash = create('div', 'clash');

  // options: has(name): there is such a preset; titleOf(name): what it is called; open(): the editor is to be seen;
  // close(name): a card, or the list; changed(): the list is to be read anew; say(text, action);
  // fail(error): with null what was refused has been done.
  constructor(...given) {
    [this.#section, this.#coach, this.#options] = given;
    this.editor = new Editor(this.#coach, {
      onEdit: () => this.#keep(),
      fail: (error) => this.#options.fail(error),
      hear: (fields, waiting) => this.#ask('preset-hear', fields.stop ? fields : { workout: this.editor.text, ...fields }, { waiting }),
    });
  }

  // What was left without being saved, by a key of each.
  get drafts() {
    const texts = Object.entries(kept.read(draftKey, {})).filter(([, each]) => typeof each?.text === 'string');
    return Object.assign(Object.create(null), Object.fromEntries(texts));
  }

  #keep() {
    const { text } = this.editor;
    const { key, base, name, former } = this.#entry;
    const { drafts } = this;
    const isChanged = text !== base || former && name !== former;
    if (isChanged) drafts[key] = { ...this.#entry, text, title: this.editor.title };
    // Another tab may have left a text of its own.
    else if (drafts[key]?.text === this.#draft) delete drafts[key];
    if (isChanged) this.#draft = text;
    kept.set(draftKey, JSON.stringify(drafts));
    this.#section.querySelector('.undo').disabled = !this.editor.canUndo;
    this.#section.querySelector('.discard').hidden = !isChanged;
    return isChanged;
  }

  // It was saved while another one was open: what has been written since is a change of that.
  #settle({ key, former, base, tag }) {
    const { drafts } = this;
    if (drafts[key]?.text === base) delete drafts[key];
    for (const each of [drafts[key], this.#entry]) {
      if (each?.key === key) Object.assign(each, { former, base, tag, name: each.name || former });
    }
    kept.set(draftKey, JSON.stringify(drafts));
    if (this.#entry.key !== key) return;
    this.#frame();
    this.#keep();
  }

  // Another name where one is taken, or `others` have it.
  #free(name, others = []) {
    let free = name || 'workout';
    for (let number = 2; this.#options.has(free) || others.includes(free); number += 1) free = `${name || 'workout'}-${number}`;
    return free;
  }

  #show(entry, text) {
    this.#entry = { key: entry.former ?? Date.now(), base: text, ...entry };
    this.#clash.replaceChildren();
    this.#options.open();
    this.#section.replaceChildren(this.#head, this.#copy, this.#clash, ...this.editor.elements, this.#foot);
    this.editor.load(text);
    this.#frame();
    this.#keep();
    this.#section.querySelector('h2').focus();
  }

  create() { this.#show({ name: '' }, `name: ${JSON.stringify(word('own'))}\n${fresh}`); }

  // Goes on with what was not saved, where there is such.
  #begin(entry, text) {
    const key = entry.former ?? entry.name;
    if (this.drafts[key]) this.proceed(key);
    else this.#show({ key, ...entry }, text);
  }

  proceed(key) {
    const { text, ...entry } = this.drafts[key] ?? {};
    if (text === undefined) return;
    this.#draft = text;
    this.#show(entry, text);
  }

  // The coach's answer about a preset; null where it has refused, which is said. rescue(error): true where it helps itself.
  async #ask(verb, fields, { waiting, rescue } = {}) {
    if (waiting) waiting.ariaBusy = true;
    try {
      const answer = await this.#coach.ask({ verb, ...fields });
      this.#options.fail(null);
      for (const each of answer.warnings ?? []) this.#options.say(each);
      return answer;
    } catch (error) {
      if (!rescue?.(error)) this.#options.fail(error);
      return null;
    } finally {
      if (waiting) waiting.ariaBusy = null;
    }
  }

  // A preset's text; one that others have made is copied.
  async edit(name) {
    const answer = await this.#ask('preset-read', { preset: name });
    if (!answer) return;
    const { workout, tag, versions } = answer.preset;
    this.#begin(tag ? { name, former: name, tag, versions } : { name: this.#free(name), model: this.#options.titleOf(name) }, workout);
  }

  // A file in another format, as the coach reads and writes it.
  async #convert(file, name, to) {
    let upload;
    for (let start = 0; ; start += piece) {
      const bytes = new Uint8Array(await file.slice(start, start + piece).arrayBuffer());
      const more = start + piece < file.size;
      const answer = await this.#ask('preset-convert', { file: name, to, data: btoa(String.fromCharCode(...bytes)), more, upload });
      if (!answer || !more) return answer;
      ({ upload } = answer);
    }
  }

  async upload(file) {
    const isOurs = /\.ya?ml$/i.test(file.name);
    // Read as another program's it would lose its comments.
    if (isOurs && file.size > most) return this.#options.fail({ code: 'too-large', message: file.name });
    const answer = isOurs && await utf8(file) || await this.#convert(file, file.name, 'yaml');
    if (!answer) return;
    // Nothing of it is saved yet.
    const others = Object.values(this.drafts).map((draft) => draft.name);
    this.#show({ name: this.#free(fileName(file.name.replace(/\.\w+$/, '')), others), base: '' }, answer.text);
  }

  // Draws what is round the fields.
  #frame() {
    const entry = this.#entry;
    const title = foreign('h2', '', entry.former ?? word('own'));
    title.tabIndex = -1;
    this.#head.replaceChildren(title, button('undo', () => { this.editor.undo(); this.#keep(); }, 'undo'),
      button('save', (each) => this.#save(each), 'save'), button('discard', () => this.#discard(), 'discard'),
      button('close', () => this.#options.close(entry.former), 'close'));
    const file = input(word('file'), entry.name, 'file', (text) => { entry.name = text.trim(); this.#keep(); });
    file.lastChild.placeholder = 'workout';
    this.#foot.replaceChildren(file);
    this.#copy.hidden = !entry.model || Boolean(entry.former);
    this.#copy.textContent = word('copyOf', { name: entry.model });
    if (entry.versions?.length) {
      this.#foot.append(menu(word('versions'), [['', '…'], ...entry.versions.map(({ number, saved }) => [number, dateText(saved, { dateStyle: 'medium', timeStyle: 'medium' })])], '', 'version', async (version) => {
        const answer = await this.#ask('preset-read', { preset: entry.former, version: Number(version) });
        if (answer && entry === this.#entry) this.editor.edit(answer.preset.workout, null, true);
      }));
    }
    this.#foot.append(menu(word('download'), [['', '…'], '.yaml', '.zwo', '.erg', '.mrc', '.json'], '', 'download', async (format, box) => {
      box.value = '';
      const { text } = this.editor;
      const name = `${entry.name || 'workout'}${format}`;
      const answer = format === '.yaml' ? { text } : await this.#convert(new Blob([text]), 'workout.yaml', format.slice(1));
      if (answer) offer(name, answer.text);
    }));
    if (entry.tag) {
      this.#foot.append(button('duplicate', () => this.#show({ name: this.#free(entry.former) }, this.editor.text)),
        button('delete', (each) => this.#delete(each), 'delete'));
    }
  }

  async #save(waiting) {
    const entry = this.#entry;
    const { text, title } = this.editor;
    entry.name ||= this.#free(fileName(title));
    const { name, former, tag } = entry;
    const answer = await this.#ask('preset-save', { preset: name, workout: text, ...tag && { tag }, ...tag && former !== name && { former } },
      { waiting, rescue: ({ code }) => code === 'changed' && entry === this.#entry && (this.#compare(former ?? name, text), true) });
    if (!answer) return;
    Object.assign(entry, { former: name, base: text, tag: answer.preset.tag });
    if (entry === this.#entry) this.#keep();
    else this.#settle(entry);
    await this.#options.changed();
    if (entry !== this.#entry) return;
    // More was written meanwhile.
    if (this.#keep()) this.#frame();
    else if (this.#section.offsetParent) this.#options.close(name);
  }

  // Somebody else has saved or deleted it: both texts are shown, and a person chooses.
  async #compare(name, text) {
    const entry = this.#entry;
    const gone = {};
    const answer = await this.#ask('preset-read', { preset: name }, { rescue: ({ code }) => code === 'unknown-preset' && (gone.preset = {}) });
    const theirs = (answer ?? gone).preset;
    if (!theirs || entry !== this.#entry) return;
    const isGone = theirs.workout === undefined;
    const choice = (key, run) => button(key, () => {
      this.#clash.replaceChildren();
      this.#head.querySelector('.save').focus();
      run();
    });
    const side = (key, words, act) => create('div', '', create('h3', '', word(key)), Object.assign(foreign('pre', '', words), { tabIndex: 0 }), act);
    const save = () => this.#save(this.#head.querySelector('.save'));
    this.#clash.replaceChildren(foreign('p', 'fault', isGone ? word('deleted', { name }) : word('refused-changed')),
      side('mine', text, choice('keepMine', () => { entry.tag = theirs.tag; save(); })),
      ...isGone ? [choice('discard', () => { this.#discard(null); this.#options.changed(); })] : [
        side('theirs', theirs.workout, choice('keepTheirs', () => {
          Object.assign(entry, { tag: theirs.tag, base: theirs.workout });
          this.editor.edit(theirs.workout, null, true);
        })),
        choice('keepBoth', () => { entry.tag = undefined; entry.name = this.#free(name); save(); })]);
    this.#clash.firstChild.tabIndex = -1;
    this.#clash.firstChild.focus();
  }

  // What is not saved goes, until its message has gone.
  #discard(next = this.#entry.former) {
    const entry = { ...this.#entry };
    const { text, title } = this.editor;
    this.editor.edit(entry.base, null, true);
    this.#entry.name = entry.former ?? '';
    this.#keep();
    this.#options.close(next);
    this.#options.say(word('discarded', { name: title }), { text: word('undo'), run: () => { this.#show(entry, text); } });
  }

  async #delete(waiting) {
    const entry = this.#entry;
    const { former: name, tag, base } = entry;
    const { title } = this.editor;
    const answer = await this.#ask('preset-delete', { preset: name, tag },
      { waiting, rescue: ({ code }) => code === 'changed' && entry === this.#entry && (this.#compare(name, this.editor.text), true) });
    if (!answer) return;
    if (entry === this.#entry) {
      entry.name = name;
      this.editor.edit(base);
      this.#keep();
      this.#options.close(null);
    }
    this.#options.changed();
    this.#options.say(word('deleted', { name: title || name }), { text: word('undo'), run: async () => {
      if (await this.#ask('preset-save', { preset: name, workout: base })) this.#options.changed();
    } });
  }

  // In another language.
  redraw() {
    if (!this.#entry) return;
    this.editor.show();
    this.#frame();
  }
}
