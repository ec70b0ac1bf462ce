// What a workout came to, once it has ended.

import { outcome } from './lane.js';
import { button, create, foreign } from './lists.js';
import { clockText, spokenLength, word } from './words.js';

// A touch that meant another button begins nothing for so long, milliseconds.
const guard = 1000;

const seconds = (nanoseconds) => Math.round(nanoseconds / 1e9);

// The workouts that have ended here, the latest first, until another one begins.
export class Ends {
  #list;
  #entries = [];
  #again;

  // again(lane): starts a workout once more; null where nobody knows its preset.
  constructor(...given) {
    [this.#list, this.#again] = given;
  }

  get count() { return this.#entries.length; }

  // name: what the lane is called on its card.
  add(lane, name) {
    this.#entries = this.#entries.filter((each) => each.lane.name !== lane.name).slice(0, 8);
    this.#entries.unshift({ lane, name, at: performance.now() });
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
    return `${name}: ${outcome(lane)}. ${word('total')}: ${spokenLength(seconds(lane.elapsed))}`;
  }

  show() {
    this.#list.replaceChildren(...this.#entries.map((entry) => this.#card(entry)));
  }

  #card({ lane, name, at }) {
    const card = create('article', 'end');
    card.dataset.kind = 'finish';
    const title = foreign('h2', 'name', name);
    const facts = create('dl', 'sums');
    const work = seconds(lane.workElapsed);
    // Together they are what both came to.
    const rest = seconds(lane.workElapsed + lane.restElapsed) - work;
    for (const [key, text] of [
      ['work', work && clockText(work)], ['rest', rest && clockText(rest)],
      ['setsDone', lane.setsDone < lane.sets ? `${lane.setsDone}/${lane.sets}` : lane.setsDone],
      ['skipped', lane.skipped],
    ]) {
      if (!text) continue;
      facts.append(create('div', '', create('dt', '', word(key)), create('dd', '', text)));
    }
    const total = create('p', 'total', clockText(seconds(lane.elapsed)));
    total.style.setProperty('--letters', total.textContent.length);
    card.append(title, create('p', 'outcome', outcome(lane)), create('div', 'clock', total), create('p', 'what', word('total')), facts);
    const again = this.#again(lane);
    if (again) {
      card.append(button('again', (each) => { if (performance.now() - at > guard) again(each); }, 'again'));
    }
    return card;
  }
}
