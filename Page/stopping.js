// Stop without a question: a tap holds the workouts, and for five seconds that can be undone.

const undoTime = 5000;

export class Stopping {
  #send;
  #onChange;
  // The names of those that end, of those that the tap has paused, and of those that have been paused.
  #held = null;

  // send(fields, options): sends a request; resolves to null where it came to nothing, which was said then.
  // onChange: called when `isHolding` has changed.
  constructor(...given) {
    [this.#send, this.#onChange] = given;
  }

  get isHolding() { return this.#held !== null; }
  get names() { return this.#held?.names ?? []; }

  // lanes: those that are to end. button: what was tapped. A second tap changes nothing; one for others ends the first at once.
  async hold(lanes, button) {
    if (!lanes.length || lanes.every(({ name }) => this.#held?.names.includes(name))) return;
    this.finish();
    const running = lanes.filter(({ state }) => state === 'running').map(({ name }) => name);
    const held = { names: lanes.map(({ name }) => name), running, paused: new Set(), timer: 0 };
    for (const { name, state } of lanes) if (state === 'paused') held.paused.add(name);
    held.timer = setTimeout(() => this.finish(), undoTime);
    this.#set(held);
    const answers = await Promise.all(running.map((lane) => this.#send({ verb: 'pause', lane }, { button })));
    // Nobody may take a workout that still runs for one that is held.
    if (!answers.includes(null) || this.#held !== held) return;
    held.running = running.filter((_, index) => answers[index]);
    this.undo();
  }

  #set(held) {
    this.#held = held;
    this.#onChange();
  }

  #withdraw() {
    clearTimeout(this.#held?.timer);
    this.#set(null);
  }

  // Those that the tap has paused go on.
  undo(button) {
    if (!this.#held) return;
    const { running } = this.#held;
    this.#withdraw();
    for (const lane of running) this.#send({ verb: 'resume', lane }, { button });
  }

  // Ends them now. isLast: the page goes. Those that the coach has not ended, because nothing came through, stay held.
  async finish(isLast = false) {
    if (!this.#held) return;
    const { names, running, paused } = this.#held;
    this.#withdraw();
    const answers = await Promise.all(names.map((lane) => this.#send({ verb: 'stop', lane }, { isLast })));
    const left = names.filter((_, index) => answers[index] === null);
    if (isLast || this.#held || !left.length) return;
    const held = { names: left, running: running.filter((name) => left.includes(name)), paused, timer: 0 };
    held.timer = setTimeout(() => this.finish(), undoTime);
    this.#set(held);
  }

  // The lanes as they are now, by name: whoever lets one go on has undone the tap.
  note(lanes) {
    if (!this.#held) return;
    const { names, running, paused } = this.#held;
    for (const name of running) if (lanes.get(name)?.lane.state === 'paused') paused.add(name);
    const goesOn = [...paused].some((name) => lanes.get(name)?.lane.state === 'running');
    if (goesOn || !names.some((name) => lanes.has(name))) this.#withdraw();
  }
}
