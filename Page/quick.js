// The quick timer: sets, effort and rest by three wheels.

import { kept } from './coach.js';
import { nameOf } from './fields.js';
import { button, create } from './lists.js';
import { clockText, spokenLength, word } from './words.js';

const key = 'cuecoach-quick';
const upTo = (most, step, from = step) => Array.from({ length: (most - from) / step + 1 }, (_, index) => from + index * step);
const lengths = [...upTo(60, 5), ...upTo(120, 15, 75), ...upTo(600, 30, 150)];
const wheels = { sets: upTo(50, 1), work: lengths, rest: [0, ...lengths] };

export class QuickTimer {
  #element;
  #values = { sets: 8, work: 30, rest: 15 };
  #run;

  // run(fields, button): starts.
  constructor(...given) {
    [this.#element, this.#run] = given;
    Object.assign(this.#values, kept.read(key));
  }

  show() {
    this.#element.ariaLabel = word('quick');
    this.#element.replaceChildren(...Object.keys(wheels).map((name) => this.#wheel(name)),
      button('start', (start) => this.#run({ quick: this.#values }, start), 'go'));
    this.turn();
  }

  // The wheels as they are to stand: one that is not seen turns back.
  turn() { for (const wheel of this.#element.querySelectorAll('.wheel')) wheel.turn(); }

  #wheel(name) {
    const values = wheels[name];
    const wheel = create('div', 'wheel');
    const text = (value) => (name === 'sets' ? `${value}` : clockText(value));
    const height = () => wheel.firstChild.offsetHeight;
    const take = (index) => {
      const value = values[Math.max(0, Math.min(values.length - 1, index))];
      this.#values[name] = value;
      kept.set(key, JSON.stringify(this.#values));
      wheel.ariaValueNow = value;
      wheel.ariaValueText = name === 'sets' ? value : spokenLength(value);
    };
    Object.assign(wheel, { tabIndex: 0, role: 'spinbutton', ariaLabel: nameOf(name), ariaValueMin: values[0],
      ariaValueMax: values.at(-1), turn: () => { wheel.scrollTop = Math.max(0, values.indexOf(this.#values[name])) * height(); } });
    wheel.append(...values.map((value) => create('div', '', text(value))));
    take(values.indexOf(this.#values[name]));
    wheel.onscroll = () => { if (wheel.offsetParent) take(Math.round(wheel.scrollTop / height())); };
    wheel.onclick = ({ target }) => {
      const index = [...wheel.children].indexOf(target);
      if (index >= 0) { take(index); wheel.turn(); }
    };
    wheel.onkeydown = (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
      if (!by) return;
      event.preventDefault();
      take(values.indexOf(this.#values[name]) + by);
      wheel.turn();
    };
    return create('div', 'choice', create('span', '', nameOf(name)), wheel);
  }
}
