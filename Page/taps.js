// Taps: what a person asks of the coach. Each carries its instant, and the coach obeys none that is older than
// two seconds: what was tapped while the coach or the network stood still is not done all at once later.

import { sleep } from './coach.js';

// The coach's limit, milliseconds.
const life = 2000;
// A tap without an answer is given up, and the page says that the coach does not answer.
const patience = 3000;
// The page's server answers for a coach that does not within 5 s.
const serverPatience = 6000;
const pause = 1000;

export class Taps {
  #coach;
  #clock;
  #onChange;
  // By button, how many of its taps wait for their answer.
  #pending = new WeakMap();
  #isStalled = false;

  // onChange: called when `isStalled` has changed.
  constructor(...given) {
    [this.#coach, this.#clock, this.#onChange] = given;
  }

  // A tap has waited for three seconds, and nothing has been heard of the coach since.
  get isStalled() { return this.#isStalled; }

  // button: shows that it waits. isLast: the page may be gone before the answer.
  // The coach's answer; an Error as of `Coach.request`, with the code 'late' where there was none in time.
  async send(fields, { button, isLast = false } = {}) {
    const tapped = performance.now();
    const signal = AbortSignal.timeout(patience);
    this.#wait(button, 1);
    try {
      const answer = await this.#stamped(fields, tapped, { signal, keepalive: isLast });
      this.heard();
      return answer;
    } catch (error) {
      if (signal.aborted) {
        this.#stall();
        throw Object.assign(new Error('late'), { code: 'late' });
      }
      if (typeof error.code === 'string') this.heard();
      // Without a connection the stream of events is dead as well, and may not have noticed.
      if (error.code === undefined) this.#coach.reopen();
      throw error;
    } finally {
      this.#wait(button, -1);
    }
  }

  async #stamped(fields, tapped, options) {
    for (let isAgain = false; ; isAgain = true) {
      if (this.#clock.error > life / 2) await this.#clock.measure(() => this.#coach.clock(options), 1);
      const sentAt = Math.round(this.#clock.at(tapped) * 1e6);
      try {
        return await this.#coach.request({ ...fields, sentAt }, options);
      } catch (error) {
        if (error.code !== 'expired' || isAgain || performance.now() - tapped > life) throw error;
        // The tap is new, so the clock is wrong: this machine has slept, or the coach's has begun anew.
        this.#clock.forget();
      }
    }
  }

  #wait(button, change) {
    if (!button) return;
    const count = (this.#pending.get(button) ?? 0) + change;
    this.#pending.set(button, count);
    button.ariaBusy = count > 0 || null;
  }

  // The coach has answered something, or the connection is back.
  heard() {
    if (!this.#isStalled) return;
    this.#isStalled = false;
    this.#onChange();
  }

  // Asks until there is an answer; a connection that gives none is opened anew.
  async #stall() {
    if (this.#isStalled) return;
    this.#isStalled = true;
    this.#onChange();
    while (this.#isStalled) {
      const signal = AbortSignal.timeout(serverPatience);
      try {
        await this.#coach.request({ verb: 'status' }, { signal });
        this.heard();
      } catch (error) {
        if (typeof error.code !== 'number' || signal.aborted) this.#coach.reopen();
      }
      if (this.#isStalled) await sleep(pause);
    }
  }
}
