// The text of a preset, and where each of its parts stands. An edit replaces these letters alone: comments, the order of keys
// and all that the page knows nothing of stay as they were written.
//
// A node has a `type`, `start` and `end`: a 'text' its `value` and `quote`, a 'list' its `items`, a 'map' its `entries`. One in
// brackets is `flow`; of another, `col` is the column of its dashes or keys. `own`: nothing but blanks stands before it in
// its line.

// The coach may read it; the page does not.
export class Problem extends Error {}

const keyRule = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|(?:[^\s"'[\]{}#&*!|>%@\x60,?:-]|-(?=[^\s:#-]))(?:[ \t]*[^ \t:#,[\]{}\n])*)[ \t]*:(?=\s|$)/y;
const quotedRule = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'/y;
const plainRule = /(?:[^\s#]|(?<=\S)#|[ \t]+(?=[^\s#]))*/y;
const flowPlainRule = /(?:[^,[\]{}:#\s]|:(?![\s,[\]{}]|$)|(?<=\S)#|[ \t]+(?=[^\s#,[\]{}]))*/y;
const dashRule = /-(?=\s|$)/y;
const bareRule = /[ \t]*(?:(?<=\s)#.*)?\r?(?:\n|$)/y;
const gapRule = /(?:\s|(?<=\s)#.*)*/y;

function unquoted(text) {
  if (text[0] === "'") return text.slice(1, -1).replaceAll("''", "'");
  if (text[0] !== '"') return text;
  try { return JSON.parse(text); } catch { return text.slice(1, -1); }
}

// What no file has as it is.
const odd = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff]/g;

// A text as it stands in a file. quote: that of the one before it.
export function written(value, quote, isFlow) {
  const isOdd = value.search(odd) >= 0;
  if (quote === "'" && !isOdd) return `'${value.replaceAll("'", "''")}'`;
  const isPlain = !quote && !isOdd && value.trim() === value && !/^(~|null|)$/i.test(value) && !/^[-?:](\s|$)|^[&*!|>%@\x60"'#,[\]{}]|:(\s|$)|\s#/.test(value)
    && !(isFlow && /[,[\]{}]|^[?:]/.test(value));
  return isPlain ? value : JSON.stringify(value).replace(odd, (letter) => `\\u${letter.charCodeAt().toString(16).padStart(4, 0)}`);
}

class Reader {
  // Those with more than a comment.
  lines = [];
  #line = 0;

  constructor(text) {
    this.text = text;
    let start = text[0] === '\ufeff' ? 1 : 0;
    for (const line of text.slice(start).split('\n')) {
      const next = Math.min(start + line.length + 1, text.length);
      if (/^\s*[^\s#]/.test(line)) this.lines.push({ start, at: start + line.search(/[^ ]/), next });
      start = next;
    }
    for (const line of this.lines) line.col = line.at - line.start;
  }

  get here() { return this.lines[this.#line]; }
  get end() { return this.lines[this.#line - 1].next; }

  match(rule, at) {
    rule.lastIndex = at;
    return rule.exec(this.text);
  }

  root() {
    if (!this.here) return { type: 'map', col: 0, entries: [], start: this.text.length, end: this.text.length };
    const node = this.block(this.here.at);
    if (this.here) throw new Problem();
    return node;
  }

  block(at) {
    if (this.match(dashRule, at)) return this.list(at);
    return this.match(keyRule, at) ? this.map(at) : this.line(at);
  }

  // What belongs to a key or a dash that ends at an offset. isKey: a list may stand in the same column.
  value(at, col, isKey) {
    const begin = at + this.match(/[ \t]*/y, at)[0].length;
    if (!this.match(bareRule, at)) return isKey ? this.line(begin) : this.block(begin);
    this.#line += 1;
    const { here } = this;
    const isBelow = here && (here.col > col || isKey && here.col === col && this.match(dashRule, here.at));
    return isBelow ? this.block(here.at) : { type: 'text', value: '', start: at, end: at };
  }

  list(start) {
    const list = { type: 'list', col: start - this.here.start, start, items: [] };
    for (let at = start; this.match(dashRule, at); at = this.here.at) {
      const first = this.here;
      const own = first.at === at;
      const node = this.value(at + 1, list.col);
      list.items.push({ node, own, start: own ? this.#above(first) : at, end: this.end });
      if (this.here?.col !== list.col) break;
    }
    return this.#closed(list);
  }

  map(start) {
    const map = { type: 'map', col: start - this.here.start, start, entries: [] };
    for (let at = start, key; (key = this.match(keyRule, at)); at = this.here.at) {
      const own = this.here.at === at;
      const value = this.value(at + key[0].length, map.col, true);
      map.entries.push({ key: unquoted(key[1]), at, own, start: own ? at - map.col : at, end: this.end, value,
        keyEnd: at + key[1].length });
      if (this.here?.col !== map.col) break;
    }
    return this.#closed(map);
  }

  #closed(node) {
    if (this.here?.col > node.col) throw new Problem();
    node.end = this.end;
    return node;
  }

  // Where the comments begin that stand right above a line, in its column.
  #above({ start, col }) {
    const before = start && this.text.lastIndexOf('\n', start - 2) + 1;
    return start && this.text.startsWith(`${' '.repeat(col)}#`, before) ? this.#above({ start: before, col }) : start;
  }

  // A value on the rest of its line; brackets may end on a later one.
  line(at) {
    const node = this.flow(at, false);
    while (this.lines[this.#line + 1]?.start < node.end) this.#line += 1;
    if (!this.match(bareRule, node.end)) throw new Problem();
    this.#line += 1;
    return node;
  }

  flow(start, isFlow = true) {
    const { text } = this;
    if (!'[{'.includes(text[start] ?? ' ')) return this.#text(start, isFlow);
    const isMap = text[start] === '{';
    const close = isMap ? '}' : ']';
    const node = isMap ? { type: 'map', flow: true, start, entries: [] } : { type: 'list', flow: true, start, items: [] };
    let at = this.#gap(start + 1);
    while (text[at] !== close) {
      const begin = at;
      const key = isMap && this.match(keyRule, at);
      if (isMap && !key) throw new Problem();
      if (key) at = this.#gap(at + key[0].length);
      const value = key && ',}'.includes(text[at]) ? { type: 'text', value: '', start: at, end: at } : this.flow(at);
      if (key) node.entries.push({ key: unquoted(key[1]), at: begin, keyEnd: begin + key[1].length, start: begin, end: value.end, value });
      else node.items.push({ node: value, start: begin, end: value.end });
      at = this.#gap(value.end);
      if (text[at] === ',') at = this.#gap(at + 1);
      else if (text[at] !== close) throw new Problem();
    }
    node.end = at + 1;
    return node;
  }

  #gap(at) { return at + this.match(gapRule, at)[0].length; }

  #text(start, isFlow) {
    const quoted = this.match(quotedRule, start)?.[0];
    if (quoted) return { type: 'text', value: unquoted(quoted), quote: quoted[0], start, end: start + quoted.length };
    const value = this.match(isFlow ? flowPlainRule : plainRule, start)[0];
    if (!value || /^[&*!|>%@\x60"'#,\]}]|^[-?:](\s|$)|:(\s|$)/.test(value)) throw new Problem();
    return { type: 'text', value, start, end: start + value.length };
  }
}

// paths: keys and numbers of items, from the root. Each edit answers with the new text.
export class PresetText {
  constructor(text) {
    this.text = text;
    this.root = new Reader(text).root();
    this.newline = text.includes('\r\n') ? '\r\n' : '\n';
  }

  at(path) { return path.reduce((node, step) => node && (node.items?.[step]?.node ?? node.entries?.find(({ key }) => key === step)?.value), this.root); }

  #part(path) {
    const parent = this.at(path.slice(0, -1));
    return (parent.entries ?? parent.items).find((part, index) => (part.key ?? index) === path.at(-1));
  }

  #splice(start, end, text) { return this.text.slice(0, start) + text + this.text.slice(end); }

  // Whole lines; the last of a file may have no end.
  #lines(at, lines, text = this.text) {
    const [before, after] = [text.slice(0, at), text.slice(at)];
    return before + (/[^\n]$/.test(before) ? this.newline : '') + lines + (/[^\n]$/.test(lines) && after ? this.newline : '') + after;
  }

  // As it stands there.
  raw({ start, end }) { return this.text.slice(start, end); }
  source(path) { return this.raw(this.#part(path)).replace(/\r?\n$/, ''); }

  set(path, value) {
    const { quote, value: old } = this.at(path);
    if (old === value) return this.text;
    return this.put(path, written(value, old && quote, this.at(path.slice(0, -1)).flow));
  }

  put(path, raw) {
    const { start, end, col } = this.at(path);
    const { at, end: after, key } = this.#part(path);
    if (col !== undefined) return this.#splice(at, after, `${key}: ${raw}${this.newline}`);
    return this.#splice(start, end, start === end && raw && this.text[start - 1] === ':' ? ` ${raw}` : raw);
  }

  // The lines of a part.
  rewrite(path, raw) {
    const { start, end } = this.#part(path);
    return this.#splice(start, end, raw + (/\n$/.test(this.raw({ start, end })) ? this.newline : ''));
  }

  rename(path, key) {
    const { at, keyEnd } = this.#part(path);
    return this.#splice(at, keyEnd, key);
  }

  // before: the key before which it stands; last otherwise.
  add(path, key, raw, before) {
    const map = this.at(path);
    const line = `${key}: ${raw}`;
    if (map.flow) {
      const comma = map.entries.length && !/,\s*$/.test(this.text.slice(map.start, map.end - 1)) ? ', ' : '';
      return this.#splice(map.end - 1, map.end - 1, comma + line);
    }
    const next = map.entries.find((entry) => entry.key === before);
    if (next) return this.#splice(next.at, next.at, line + this.newline + ' '.repeat(map.col));
    return this.#lines(map.end, ' '.repeat(map.col) + line + this.newline);
  }

  remove(path) {
    const map = this.at(path.slice(0, -1));
    const entry = this.#part(path);
    const next = map.entries[map.entries.indexOf(entry) + 1];
    // Comments above the next one stay.
    const above = next && !map.flow ? this.raw({ start: entry.end, end: next.start }).trimStart() : '';
    if (next && (map.flow || !entry.own)) return this.#splice(entry.at, above ? next.start - above.length : next.at, '');
    const before = map.entries[map.entries.indexOf(entry) - 1];
    return this.#splice(map.flow && before ? before.end : entry.start, entry.end, '');
  }

  // An item's lines with its dash in the column of another list.
  #shifted(item, col, other) {
    const by = other - col;
    return this.raw(item).replace(by < 0 ? new RegExp(`^ {0,${-by}}`, 'gm') : /^(?=.)/gm, by < 0 ? '' : ' '.repeat(by));
  }

  #place(list, index) { return index < list.items.length ? list.items[index].start : list.items.at(-1).end; }

  // lines: of an item, with its dash at the left.
  insert(path, index, lines) {
    const list = this.at(path);
    return this.#lines(this.#place(list, index), lines.map((line) => ' '.repeat(list.col) + line + this.newline).join(''));
  }

  copy(path) {
    const item = this.#part(path);
    return this.#lines(item.end, this.raw(item));
  }

  // An item, and what would be empty without it; null where nothing would be left.
  #whole(path) {
    const list = this.at(path.slice(0, -1));
    if (list.items.length > 1) return this.#part(path);
    return path.length > 3 ? this.#whole(path.slice(0, -2)) : null;
  }

  cut(path) {
    const item = this.#whole(path);
    return item && this.#splice(item.start, item.end, '');
  }

  // To before the item of that number in a list.
  move(path, target, index) {
    const item = this.#part(path);
    const gone = this.#whole(path);
    const list = this.at(target);
    const place = this.#place(list, index);
    if (!gone || place > gone.start && place < gone.end) return null;
    const lines = this.#shifted(item, this.at(path.slice(0, -1)).col, list.col);
    const rest = this.#splice(gone.start, gone.end, '');
    return this.#lines(place <= gone.start ? place : place - (gone.end - gone.start), lines, rest);
  }

  // A phase becomes a group of its own.
  wrap(path, line) {
    const { start, end } = this.#part(path);
    const { col } = this.at(path.slice(0, -1));
    const blanks = ' '.repeat(col);
    const lines = [`- ${line}`, '  phases:'].map((each) => blanks + each + this.newline).join('');
    return this.#splice(start, end, lines + this.#shifted({ start, end }, col, col + 4));
  }
}
