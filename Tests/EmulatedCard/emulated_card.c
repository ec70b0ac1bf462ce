// SPDX-License-Identifier: Apache-2.0

// The emulated sound card; include/EmulatedCard.h describes its behaviour and its control.
//
// There is no thread: the card catches up with its clock whenever libasound calls into it. Frames
// wait in a ring of the card's own and go to the capture when the clock says they were heard.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef PIC
#define PIC  // or the plugin symbol registers itself for static linking and dlsym misses it
#endif

#include "card.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// MARK: The clock

static double frames_per_ns(const struct card *card) {
  return card->rate * (1 + card->ppm * 1e-6) / 1e9;
}

// A position since prepare, as libasound counts it.
static snd_pcm_uframes_t wrapped(const struct card *card, int64_t position) {
  return (snd_pcm_uframes_t)(position % (int64_t)card->boundary);
}

// Frames between a position and the client's write position; 0 when a rewind went behind it.
static int64_t queued_after(struct card *card, int64_t position) {
  return (int64_t)snd_pcm_ioplug_hw_avail(
    &card->io, wrapped(card, position), card->io.appl_ptr);
}

static void end_run(struct card *card, const char *event, int64_t ns) {
  card->running = card->stalled = false;
  card->reported = card->heard;
  card_note_frame(card, event, ns);
}

// Hears what is due until now, or to the last frame; an xrun lies where that frame ended.
static void consume(struct card *card, int64_t now) {
  if (!card->running) return;
  double rate = frames_per_ns(card);
  int64_t due = card->heard;
  if (!card->stalled) due = card->anchor_frame + (int64_t)((double)(now - card->anchor_ns) * rate);
  int64_t limit = card->heard + queued_after(card, card->heard);
  if (limit > card->dry_at) limit = card->dry_at;

  int64_t until = due < limit ? due : limit;
  if (until > card->heard) {
    card_capture(card, card->heard, until - card->heard);
    card->heard = until;
  }
  if (due >= limit) {
    card->reported = card->heard;
    if (card->io.state == SND_PCM_STATE_DRAINING) return;
    int64_t ran_dry = now;
    if (!card->stalled)
      ran_dry = card->anchor_ns + (int64_t)((double)(limit - card->anchor_frame) / rate);
    end_run(card, "xrun", ran_dry);
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
  } else if (card->step_us > 0) {
    double step = card->step_us * card->rate / 1e6;
    int64_t stepped = (int64_t)((double)(int64_t)((double)card->heard / step) * step);
    if (stepped > card->reported) card->reported = stepped;
  } else {
    card->reported = card->heard;
  }
}

static void obey_stall(struct card *card, int64_t now) {
  bool stall = card->level == STALL;
  if (stall == card->stalled) return;
  card->stalled = stall;
  card->anchor_ns = now;
  card->anchor_frame = card->heard;
  card_note_frame(card, stall ? "stall" : "resume", now);
}

// Brings the card up to now and to what the control file says. Returns 0, or -ENODEV.
static int update(struct card *card) {
  card_read_control(card);
  int64_t now = card_now();
  consume(card, now);
  if (card->level == UNPLUG && !card->gone) {
    card->gone = true;
    if (card->running) end_run(card, "stop", now);
    card_note(card, "unplug %lld\n", (long long)now);
  }
  if (card->gone) {
    // Each time, because libasound sets the state itself after some callbacks.
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
    return -ENODEV;
  }
  if (!card->running) return 0;
  if (card->xrun_asked != card->xrun_done) {
    card->xrun_done = card->xrun_asked;
    if (card->xrun_asked >= 0) {
      card->dry_at = card->heard + (card->queue_lost ? 0 : queued_after(card, card->heard));
      consume(card, now);
    }
  }
  if (card->running) obey_stall(card, now);
  return 0;
}

// A call that hangs in the driver: it returns only when the control file says something else.
static void hang(struct card *card, enum level call) {
  bool hangs = false, hung;
  do {
    hung = hangs;
    if (hung) nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    pthread_mutex_lock(&card->lock);
    card_read_control(card);
    hangs = card->level == call;
    if (hangs && !hung) card_note(card, "hang %lld\n", (long long)card_now());
    pthread_mutex_unlock(&card->lock);
  } while (hangs);
}

// MARK: Callbacks

static int card_start(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  int error = update(card);
  // The kernel does not start an empty playback buffer either.
  if (!error && queued_after(card, 0) == 0) error = -EPIPE;
  if (!error) {
    card->start_ns = card->anchor_ns = card_now();
    card->anchor_frame = 0;
    card->running = true;
    card_note_frame(card, "start", card->start_ns);
    obey_stall(card, card->start_ns);
  }
  pthread_mutex_unlock(&card->lock);
  return error;
}

static int card_stop(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  int64_t now = card_now();
  consume(card, now);
  if (card->running) end_run(card, "stop", now);
  pthread_mutex_unlock(&card->lock);
  return 0;
}

static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  // Never an error: libasound makes any into XRUN, and keeps the states that update has set.
  update(card);
  // Once more: writing the capture took time, and libasound takes its stamp after this call.
  consume(card, card_now());
  snd_pcm_sframes_t position = (snd_pcm_sframes_t)wrapped(card, card->reported);
  pthread_mutex_unlock(&card->lock);
  return position;
}

static snd_pcm_sframes_t card_transfer(
  snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset,
  snd_pcm_uframes_t size) {
  struct card *card = io->private_data;
  hang(card, HANG_WRITE);
  pthread_mutex_lock(&card->lock);
  bool gone = card->gone;
  for (unsigned side = 0; side < 2; side++) {
    const snd_pcm_channel_area_t *area = &areas[side < io->channels ? side : 0];
    const char *from = (const char *)area->addr + (area->first + offset * area->step) / 8;
    for (snd_pcm_uframes_t i = 0; i < size; i++, from += area->step / 8) {
      // appl_ptr, not a count of writes: it follows the client's rewinds.
      memcpy(&card->ring[(io->appl_ptr + i) % io->buffer_size * 2 + side], from, sizeof(int16_t));
    }
  }
  pthread_mutex_unlock(&card->lock);
  return gone ? -ENODEV : (snd_pcm_sframes_t)size;
}

// How wrong the delay is, in frames: a triangle wave of one period and a half, fading to nothing.
static double lie(const struct card *card) {
  if (!card->running || card->lie_ms <= 0) return 0;
  double x = (double)(card_now() - card->start_ns) / (card->lie_ms * 1e6);
  if (x >= 1) return 0;
  double phase = x * 1.5 - (int)(x * 1.5);
  double wave = phase < 0.5 ? 1 - 4 * phase : 4 * phase - 3;
  return card->lie_us * card->rate / 1e6 * (1 - x) * wave;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
  struct card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  int error = update(card);
  if (!error && io->state == SND_PCM_STATE_XRUN) error = -EPIPE;
  if (!error) {
    int64_t position = card->interpolated_delay ? card->heard : card->reported;
    double shown = (double)queued_after(card, position) + lie(card);
    *delay = shown > 0 ? (snd_pcm_sframes_t)(shown + 0.5) : 0;
  }
  pthread_mutex_unlock(&card->lock);
  return error;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  // Of a running card: refused as by the kernel. libasound has reset its pointers, which looks
  // like an empty buffer, so that the client gets its xrun next.
  int error = card->running ? -EBUSY : update(card);
  if (!error) {
    card->heard = card->reported = 0;
    card->dry_at = INT64_MAX;
  }
  pthread_mutex_unlock(&card->lock);
  return error;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  (void)params;
  struct card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  int error = update(card);
  if (!error) {
    free(card->ring);
    card->ring = calloc(io->buffer_size, FRAME_BYTES);
    if (!card->ring) error = -ENOMEM;
    card->boundary = io->buffer_size;  // until sw_params tells the real one
    card_note(card, "rate %.9f\n", frames_per_ns(card) * 1e9);
    // Only a knock for clients that poll; what is due is always taken from the clock.
    int64_t ns = (int64_t)((double)io->period_size * 1e9 / card->rate);
    struct itimerspec period = {
      .it_interval = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000},
      .it_value = {.tv_nsec = 1},
    };
    timerfd_settime(card->timer_fd, 0, &period, NULL);
  }
  pthread_mutex_unlock(&card->lock);
  return error;
}

static int card_hw_free(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  return timerfd_settime(card->timer_fd, 0, &(struct itimerspec){0}, NULL);
}

static int card_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  struct card *card = io->private_data;
  pthread_mutex_lock(&card->lock);
  int error = update(card);
  snd_pcm_sw_params_get_boundary(params, &card->boundary);
  snd_pcm_sw_params_get_avail_min(params, &card->avail_min);
  pthread_mutex_unlock(&card->lock);
  return error;
}

static int card_poll_revents(
  snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count, unsigned short *revents) {
  struct card *card = io->private_data;
  (void)count;
  *revents = 0;
  uint64_t ticks;
  if ((fds->revents & POLLIN) && read(card->timer_fd, &ticks, sizeof ticks) < 0) return 0;
  pthread_mutex_lock(&card->lock);
  if (update(card) < 0) {
    *revents = POLLERR | POLLNVAL;
  } else if (io->state == SND_PCM_STATE_XRUN) {
    *revents = POLLOUT | POLLERR;
  } else {
    snd_pcm_uframes_t avail =
      snd_pcm_ioplug_avail(io, wrapped(card, card->reported), io->appl_ptr);
    if (avail >= card->avail_min) *revents = POLLOUT;
  }
  pthread_mutex_unlock(&card->lock);
  return 0;
}

static void card_free(struct card *card) {
  const int files[] = {card->control_fd, card->capture_fd, card->log_fd, card->timer_fd};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (files[i] >= 0) close(files[i]);
  pthread_mutex_destroy(&card->lock);
  free(card->control);
  free(card->capture);
  free(card->log);
  free(card->ring);
  free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  hang(card, HANG_CLOSE);
  card_stop(io);
  card_note(card, "close %lld\n", (long long)card_now());
  card_free(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
  .start = card_start,
  .stop = card_stop,
  .pointer = card_pointer,
  .transfer = card_transfer,
  .close = card_close,
  .hw_params = card_hw_params,
  .hw_free = card_hw_free,
  .sw_params = card_sw_params,
  .prepare = card_prepare,
  .poll_revents = card_poll_revents,
  .delay = card_delay,
};

// MARK: Opening

static int read_parameters(struct card *card, snd_config_t *conf) {
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *id;
    if (snd_config_get_id(entry, &id) < 0) continue;
    if (!strcmp(id, "comment") || !strcmp(id, "type") || !strcmp(id, "hint")) continue;
    int error = -EINVAL;
    double *real = !strcmp(id, "ppm") ? &card->ppm
      : !strcmp(id, "rate") ? &card->rate
      : !strcmp(id, "step_us") ? &card->step_us
      : !strcmp(id, "lie_ms") ? &card->lie_ms
      : !strcmp(id, "lie_us") ? &card->lie_us : NULL;
    bool *flag = !strcmp(id, "interpolated_delay") ? &card->interpolated_delay
      : !strcmp(id, "queue_lost") ? &card->queue_lost : NULL;
    char **path = !strcmp(id, "control") ? &card->control
      : !strcmp(id, "capture") ? &card->capture
      : !strcmp(id, "log") ? &card->log : NULL;
    if (real) {
      error = snd_config_get_ireal(entry, real);
    } else if (flag) {
      int value = snd_config_get_bool(entry);
      error = value < 0 ? value : 0;
      *flag = value > 0;
    } else if (path) {
      const char *value;
      error = snd_config_get_string(entry, &value);
      if (!error && !(*path = strdup(value))) error = -ENOMEM;
    }
    if (error < 0) {
      SNDERR("cuecoach_card: parameter %s is unknown or not of its kind", id);
      return error;
    }
  }
  return 0;
}

static int constrain(snd_pcm_ioplug_t *io, unsigned rate) {
  static const unsigned accesses[] = {
    SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED,
  };
  static const unsigned formats[] = {SND_PCM_FORMAT_S16_LE};
  const struct { int parameter; unsigned min, max; } ranges[] = {
    {SND_PCM_IOPLUG_HW_CHANNELS, 1, 2},
    {SND_PCM_IOPLUG_HW_RATE, rate, rate},
    {SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64 * FRAME_BYTES, 24000 * FRAME_BYTES},
    {SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128 * FRAME_BYTES, 2 * rate * FRAME_BYTES},
    {SND_PCM_IOPLUG_HW_PERIODS, 2, 2 * rate / 64},
  };
  int error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  if (!error) error = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, 1, formats);
  for (size_t i = 0; !error && i < sizeof ranges / sizeof *ranges; i++)
    error = snd_pcm_ioplug_set_param_minmax(io, ranges[i].parameter, ranges[i].min, ranges[i].max);
  return error;
}

SND_PCM_PLUGIN_DEFINE_FUNC(cuecoach_card) {
  (void)root;
  if (stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
  struct card *card = calloc(1, sizeof *card);
  if (!card) return -ENOMEM;
  pthread_mutex_init(&card->lock, NULL);
  card->queue_lost = true;
  card->rate = RATE;
  card->control_fd = card->capture_fd = card->log_fd = card->timer_fd = -1;
  card->xrun_asked = card->xrun_done = -1;
  card->boundary = 1;

  int error = read_parameters(card, conf);
  if (!error) error = card_open_files(card);
  card->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (!error && card->timer_fd < 0) error = -errno;
  if (!error) {
    // BOUNDARY_WA, or a whole buffer heard between two calls would look like none.
    card->io = (snd_pcm_ioplug_t){
      .version = SND_PCM_IOPLUG_VERSION, .name = "cuecoach emulated card",
      .flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA,
      .poll_fd = card->timer_fd, .poll_events = POLLIN,
      .callback = &callbacks, .private_data = card,
    };
    error = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  }
  if (error < 0) {
    card_free(card);
    return error;
  }
  card_note(card, "open %lld\n", (long long)card_now());
  error = constrain(&card->io, (unsigned)card->rate);
  if (error < 0) {
    snd_pcm_ioplug_delete(&card->io);
    return error;
  }
  *pcmp = card->io.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(cuecoach_card)
