// Lines over the page: one for as long as something is so, and one that passes. Neither moves what is below.

// Milliseconds: how long one stays, and how long where others wait for it.
const times = { alone: 8000, others: 4000 };
// Further ones are of no use to anybody.
const most = 9;

export class Notices {
  #lasting;
  #passing;
  #mark;
  #onGone;
  #text = '';
  #isClosed = false;
  #queue = [];
  #since = 0;
  #timer = 0;

  // lasting, passing: elements with a line and a button. mark: a button that shows the lasting one again. onGone(): a line whose
  // button was pressed has gone.
  constructor(...given) {
    [this.#lasting, this.#passing, this.#mark, this.#onGone] = given;
    this.#lasting.querySelector('button').onclick = () => this.#close(true);
    this.#mark.onclick = () => this.#close(false);
    this.#passing.querySelector('.away').onclick = () => this.#leave();
    this.#passing.querySelector('.act').onclick = () => { this.#queue[0]?.action.run(); this.#leave(); };
  }

  // What is so now; '' for nothing.
  last(text) {
    if (text === this.#text) return;
    this.#text = text;
    this.#close(false);
  }

  #close(isClosed) {
    this.#isClosed = isClosed;
    this.#write(this.#lasting, isClosed ? '' : this.#text);
    this.#mark.querySelector('span').textContent = this.#text;
    this.#mark.hidden = !isClosed || !this.#text;
  }

  // A line that goes by itself. It waits for those before it. action: { text, run } of a button: each line has its own.
  say(text, action) {
    if (!action && (this.#queue.some((each) => each.text === text) || text === this.#lasting.querySelector('p').textContent)) return;
    if (!this.#queue.length) this.#since = performance.now();
    this.#queue = [...this.#queue, { text, action }].slice(-most);
    this.#show();
  }

  // It is no longer true.
  drop(text) {
    if (this.#queue[0]?.text === text) this.#next();
    else this.#queue = this.#queue.filter((each) => each.text !== text);
  }

  #leave() {
    this.#next();
    this.#onGone();
  }

  #next() {
    this.#queue.shift();
    this.#since = performance.now();
    this.#show();
  }

  #show() {
    clearTimeout(this.#timer);
    const [{ text, action } = { text: '' }, ...others] = this.#queue;
    const act = this.#passing.querySelector('.act');
    act.hidden = !action;
    act.textContent = action?.text;
    this.#write(this.#passing, text);
    this.#passing.querySelector('.waiting').textContent = others.length ? `+${others.length}` : '';
    if (!text) return;
    const length = others.length ? times.others : times.alone;
    this.#timer = setTimeout(() => this.#next(), Math.max(0, this.#since + length - performance.now()));
  }

  #write(element, text) {
    const line = element.querySelector('p');
    if (line.textContent !== text) line.textContent = text;
    element.hidden = text === '';
  }
}
