// What a workout came to, once it has ended.

import { create, foreign } from './lists.js';
import { clockText, spokenLength, word } from './words.js';

const effort = new Set(['high', 'work']);
const easy = new Set(['low', 'rest', 'recovery']);
// Milliseconds by which an outline may differ from what was seen.
const tolerance = 200;

// The phases of a lane as this page has seen them: from when to when each lasted, without pauses.
export class Tally {
  #marks = [];

  note(lane) {
    const mark = { phase: lane.phase, kind: lane.kind, start: (lane.elapsed - lane.phaseElapsed) / 1e6 };
    const last = this.#marks.at(-1);
    if (last?.phase !== mark.phase || Math.abs(last.start - mark.start) > 1) this.#marks.push(mark);
  }

  // Milliseconds of effort and of rest in a lane that has ended; null where the page has not seen all of it and the
  // phases do not tell. outline: they, where they are known.
  times(lane, outline) {
    const sum = { work: 0, rest: 0 };
    const add = (kind, length) => {
      if (effort.has(kind)) sum.work += length;
      if (easy.has(kind)) sum.rest += length;
    };
    const marks = [...this.#marks, { phase: lane.phase, start: lane.elapsed / 1e6 }];
    const [first] = marks;
    if (first.start > 0) marks.unshift({ phase: 0, kind: outline?.[0]?.kind, start: 0 });
    for (const [index, mark] of marks.slice(0, -1).entries()) {
      const { phase, start } = marks[index + 1];
      const length = start - mark.start;
      if (phase <= mark.phase + 1) {
        // Behind the last phase only sounds fade.
        if (length > tolerance && mark.kind === undefined && index === 0) return null;
        add(mark.kind, length);
        continue;
      }
      const between = outline?.slice(mark.phase, phase) ?? [];
      const whole = between.reduce((total, { seconds }) => total + seconds * 1000, 0);
      if (between.length < phase - mark.phase || !(Math.abs(whole - length) < tolerance)) return null;
      for (const { kind, seconds } of between) add(kind, seconds * 1000);
    }
    return sum;
  }
}

// How many sets there are, and how many of them were over at a phase.
export function setsOver(outline, phase) {
  const isLast = ({ set, sets }, index) => set !== undefined
    && (outline[index + 1]?.set !== set || outline[index + 1]?.sets !== sets);
  const lasts = (outline ?? []).flatMap((segment, index) => isLast(segment, index) ? [index] : []);
  return { all: lasts.length, over: lasts.filter((index) => index < phase).length };
}

// A touch that meant another button begins nothing for so long, milliseconds.
const guard = 1000;

const time = (milliseconds) => clockText(Math.round(milliseconds / 1000));

// The workouts that have ended here, the latest first, until another one begins.
export class Ends {
  #list;
  #entries = [];
  #again;

  // again(lane): starts a workout once more; null where nobody knows its preset.
  constructor(list, again) {
    this.#list = list;
    this.#again = again;
  }

  get count() { return this.#entries.length; }

  // name: what the lane is called on its card.
  add(entry, tally, name) {
    const { lane, outline } = entry;
    this.#entries = this.#entries.filter((each) => each.lane.name !== lane.name).slice(0, 8);
    this.#entries.unshift({ lane, name, at: performance.now(), sets: setsOver(outline, lane.phase),
      times: tally?.times(lane, outline) ?? null });
    this.show();
  }

  clear() {
    if (!this.#entries.length) return;
    this.#entries = [];
    this.show();
  }

  // For a screen reader.
  spoken() {
    const [{ lane, name }] = this.#entries;
    return `${name}: ${outcome(lane)}. ${word('total')}: ${spokenLength(Math.round(lane.elapsed / 1e9))}`;
  }

  show() {
    this.#list.replaceChildren(...this.#entries.map((entry) => this.#card(entry)));
    this.#list.dataset.count = this.#entries.length;
  }

  #card({ lane, name, at, sets, times }) {
    const card = create('article', 'end');
    card.dataset.kind = 'finish';
    const title = foreign('h2', 'name', name);
    const facts = create('dl', 'sums');
    for (const [key, text] of [
      ['work', times?.work >= 500 && time(times.work)], ['rest', times?.rest >= 500 && time(times.rest)],
      ['setsDone', sets.all > 0 && (sets.over < sets.all ? `${sets.over}/${sets.all}` : `${sets.all}`)],
      ['skipped', lane.skipped],
    ]) {
      if (!text) continue;
      const fact = create('div');
      fact.append(create('dt', '', word(key)), create('dd', '', `${text}`));
      facts.append(fact);
    }
    const total = create('p', 'total', time(lane.elapsed / 1e6));
    total.style.setProperty('--letters', total.textContent.length);
    const clock = create('div', 'clock');
    clock.append(total);
    card.append(title, create('p', 'outcome', outcome(lane)), clock, create('p', 'what', word('total')), facts);
    const again = this.#again(lane);
    if (again) {
      const button = create('button', 'again', word('again'));
      button.addEventListener('click', () => { if (performance.now() - at > guard) again(button); });
      card.append(button);
    }
    return card;
  }
}

const outcome = (lane) => word(lane.state === 'finished' ? 'finished' : 'stopped')
  .replace(/^./u, (letter) => letter.toLocaleUpperCase());
