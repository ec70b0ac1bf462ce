# SPDX-License-Identifier: Apache-2.0
"""pocketsphinx, configured as listeners with different hearing."""

import wave

import numpy
import pocketsphinx
import scipy.signal

from hearing.workouts import RATE

WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
).split()
# The vocabulary: the number of a set, and the numbers of a count, at most ten.
LEAD_IN = "set ( %s ) completing in" % " | ".join(WORDS[1:])
COUNT = " | ".join(WORDS[:11])
NUMBER = " | ".join(WORDS)
# The level of a word, as loud as cuecoach says it.
LEVEL = 1_500
# The same of what exceeds a twentieth of the word's peak.
LOUD_LEVEL = 2_600


class Listener:
    """
    count     the vocabulary for a number of a count
    floor     the standard deviation of white noise, in steps of 16 bits: the model expects some
              noise
    noise     level of pink noise, in dB below the words, or None
    echo      seconds in which the room's echo decays to a thousandth, or None
    band      Hz, from and to, or None
    sets      whether it must understand the numbers of the sets
    decoder   options of pocketsphinx
    """

    def __init__(
            self, what, count=COUNT, floor=3, noise=None, echo=None, band=None, sets=True, **decoder):
        self.what, self.count, self.floor, self.noise, self.sets = what, count, floor, noise, sets
        self.room = _room(echo) if echo else None
        self.band = scipy.signal.butter(4, band, "bandpass", fs=RATE, output="sos") if band else None
        self.decoder = decoder
        self.searches = {}

    def hears(self, piece, words, seed):
        """The words recognised in samples at 48 kHz."""
        search = self.searches.get(words) or self._search(words)
        search.start_utt()
        search.process_raw(self._reaching(piece, seed).tobytes(), full_utt=True)
        search.end_utt()
        return search.hyp().hypstr if search.hyp() and search.hyp().hypstr else "nothing"

    def _search(self, words):
        # Normalised by the means of each piece, so that none depends on earlier ones.
        search = pocketsphinx.Decoder(
            samprate=16_000, loglevel="FATAL", cmn="batch", **self.decoder)
        search.add_jsgf_string("said", f"#JSGF V1.0; grammar said; public <said> = {words};")
        search.activate_search("said")
        self.searches[words] = search
        return search

    def _reaching(self, piece, seed):
        """The piece as it reaches the ear, at 16 kHz."""
        pad = numpy.zeros(round(0.3 * RATE))
        piece = numpy.concatenate([pad, piece, pad])
        if self.room is not None:
            piece = scipy.signal.fftconvolve(piece, self.room)[:len(piece)]
        if self.band is not None:
            piece = scipy.signal.sosfilt(self.band, piece)
        piece = scipy.signal.resample_poly(piece, 1, 3)
        random = numpy.random.default_rng(seed)
        if self.noise is not None:
            pink = _pink(random.normal(0, 1, len(piece)))
            piece = piece + pink * LEVEL * 10 ** (-self.noise / 20) / numpy.std(pink)
        piece = piece + random.normal(0, self.floor, len(piece))
        return numpy.clip(piece, -32_768, 32_767).astype("<i2")


def recording(path):
    """A word's recording as cuecoach would say it: at 48 kHz and as loud, but neither trimmed nor filtered."""
    with wave.open(path) as file:
        samples = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
        samples = scipy.signal.resample_poly(samples, RATE, file.getframerate())
    heard = samples[numpy.abs(samples) > 0.05 * numpy.abs(samples).max()]
    return samples * LOUD_LEVEL / numpy.sqrt(numpy.mean(heard**2))


def _room(seconds):
    """The response of a room: the direct sound, and a decaying echo 6 dB below it."""
    time = numpy.arange(round(1.2 * seconds * RATE)) / RATE
    echo = numpy.random.default_rng(5).normal(0, 1, len(time)) * 10 ** (-3 * time / seconds)
    echo[time < 0.003] = 0
    echo *= 10 ** (-6 / 20) / numpy.sqrt(numpy.sum(echo**2))
    echo[0] = 1
    return echo


def _pink(white):
    """Noise with as much energy in every octave, after P. Kellet's filter of third order."""
    return scipy.signal.lfilter(
        [0.049922035, -0.095993537, 0.050612699, -0.004408786],
        [1, -2.494956002, 2.017265875, -0.522189400], white)


LISTENERS = {
    "plain": Listener("a quiet place, the recogniser as it comes"),
    "any": Listener("the same, a count may be any number up to twenty", count=NUMBER),
    "clean": Listener("no noise to speak of", count=NUMBER, floor=0.3),
    "hasty": Listener(
        "narrow beams: gives up early what seems unlikely", beam=1e-30, wbeam=1e-20, pbeam=1e-30),
    "noisy": Listener("pink noise 15 dB below the words", noise=15),
    "room": Listener(
        "an echo of 0.3 s, and pink noise 20 dB below the words", echo=0.3, noise=20),
    "phone": Listener(
        "300 to 3 400 Hz, and pink noise 25 dB below; of the sets it misses six and sixteen without "
        "any sound, as their s lies above: they are shown and not judged",
        band=(300, 3_400), noise=25, sets=False),
}
