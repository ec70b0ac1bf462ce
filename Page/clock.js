// The coach's clock, seen from here.
//
// Instants of the coach are on its own clock. How far that is from performance.now() is measured by
// round trips: the answer was written somewhere between the two, so half a round trip is the greatest
// error. The clock of the day is never looked at: it may be wrong by an hour.

// How much worse a measurement becomes by waiting: clocks differ by less than 100 µs in a second.
const drift = 1e-4;

export class CoachClock {
  #best = null;

  get isKnown() { return this.#best !== null; }

  // The greatest error of `now`, in milliseconds.
  get error() {
    return this.#best ? this.#error(this.#best) : Infinity;
  }

  #error(sample) {
    return sample.trip / 2 + (performance.now() - sample.at) * drift;
  }

  // Milliseconds of the coach's clock.
  now() { return this.at(performance.now()); }

  // The same at an instant of performance.now().
  at(instant) { return instant + (this.#best?.offset ?? 0); }

  // Measured anew from here on: this machine may have slept, and performance.now() with it.
  forget() {
    if (this.#best) this.#best.trip = Infinity;
  }

  // ask: requests the clock and resolves to its milliseconds.
  async measure(ask, times = 5) {
    for (let count = 0; count < times; count += 1) {
      const sent = performance.now();
      const coach = await ask();
      const received = performance.now();
      const sample = { trip: received - sent, at: received, offset: coach - (sent + received) / 2 };
      if (!this.#best || this.#error(sample) <= this.#error(this.#best)) this.#best = sample;
    }
  }
}
