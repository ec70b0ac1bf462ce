#pragma once
#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

// The snd_*_alloca macros and the variadic error handler cannot be imported into Swift; these say
// the same in functions.

// libasound prints its own complaints to stderr; the caller reports errors itself.
static void cuecoach_alsa_quiet(const char *file, int line, const char *function, int err,
                                const char *fmt, ...) {
  (void)file; (void)line; (void)function; (void)err; (void)fmt;
}

static inline int cuecoach_alsa_silence_errors(void) {
  return snd_lib_error_set_handler(cuecoach_alsa_quiet);
}

// These are declared with _GNU_SOURCE alone, which a Swift import does not define.
extern int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline);
static inline int cuecoach_join(pthread_t thread, const struct timespec *deadline) {
  return pthread_timedjoin_np(thread, 0, deadline);
}

static const int cuecoach_reset_on_fork = 0x40000000;  // SCHED_RESET_ON_FORK
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline void cuecoach_name_thread(const char *name) {
  (void)pthread_setname_np(pthread_self(), name);
}

extern int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout,
                 const sigset_t *signals);
static inline int cuecoach_poll(struct pollfd *files, nfds_t count, const struct timespec *timeout) {
  return ppoll(files, count, timeout, 0);
}

// Swift's Glibc module leaves eventfd out.
static inline int cuecoach_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

// One consistent observation: position and state from a single call.
// Returns 0, or the negative error of snd_pcm_status.
typedef struct {
  int state;
  long delay;
  unsigned long avail;
} cuecoach_pcm_observation;

static inline int cuecoach_pcm_observe(snd_pcm_t *pcm, cuecoach_pcm_observation *out) {
  snd_pcm_status_t *status;
  snd_pcm_status_alloca(&status);
  int result = snd_pcm_status(pcm, status);
  if (result < 0) return result;
  out->state = (int)snd_pcm_status_get_state(status);
  out->delay = (long)snd_pcm_status_get_delay(status);
  out->avail = (unsigned long)snd_pcm_status_get_avail(status);
  return 0;
}

// 16-bit, interleaved, at exactly `rate`; period and buffer in frames, in: wished for, out:
// what the device gave. Returns 0, or the negative error of the first call that failed, whose name
// is left in *call.
static inline int cuecoach_pcm_configure(snd_pcm_t *pcm, unsigned int rate, unsigned int channels,
                                         unsigned long *period, unsigned long *buffer,
                                         const char **call) {
  snd_pcm_hw_params_t *hw;
  snd_pcm_sw_params_t *sw;
  snd_pcm_hw_params_alloca(&hw);
  snd_pcm_sw_params_alloca(&sw);
  int result;
#define CUECOACH_TRY(expression)          \
  *call = #expression;                    \
  result = (expression);                  \
  if (result < 0) return result
  CUECOACH_TRY(snd_pcm_hw_params_any(pcm, hw));
  CUECOACH_TRY(snd_pcm_hw_params_set_access(pcm, hw, SND_PCM_ACCESS_RW_INTERLEAVED));
  CUECOACH_TRY(snd_pcm_hw_params_set_format(pcm, hw, SND_PCM_FORMAT_S16));
  CUECOACH_TRY(snd_pcm_hw_params_set_channels(pcm, hw, channels));
  CUECOACH_TRY(snd_pcm_hw_params_set_rate(pcm, hw, rate, 0));
  snd_pcm_uframes_t frames = *period;
  int direction = 0;
  CUECOACH_TRY(snd_pcm_hw_params_set_period_size_near(pcm, hw, &frames, &direction));
  snd_pcm_uframes_t size = *buffer;
  CUECOACH_TRY(snd_pcm_hw_params_set_buffer_size_near(pcm, hw, &size));
  CUECOACH_TRY(snd_pcm_hw_params(pcm, hw));
  *period = frames;
  *buffer = size;
  snd_pcm_uframes_t boundary;
  CUECOACH_TRY(snd_pcm_sw_params_current(pcm, sw));
  CUECOACH_TRY(snd_pcm_sw_params_get_boundary(sw, &boundary));
  // Started by hand once primed, and never by a write.
  CUECOACH_TRY(snd_pcm_sw_params_set_start_threshold(pcm, sw, boundary));
  CUECOACH_TRY(snd_pcm_sw_params(pcm, sw));
#undef CUECOACH_TRY
  *call = "";
  return 0;
}

// The id of the card behind a PCM, as in CARD=id; empty where there is none.
static inline void cuecoach_pcm_card(snd_pcm_t *pcm, char card[64]) {
  card[0] = 0;
  snd_pcm_info_t *info;
  snd_pcm_info_alloca(&info);
  if (snd_pcm_info(pcm, info) < 0 || snd_pcm_info_get_card(info) < 0) return;
  char control[16];
  snprintf(control, sizeof control, "hw:%d", snd_pcm_info_get_card(info));
  snd_ctl_t *ctl;
  if (snd_ctl_open(&ctl, control, 0) < 0) return;
  snd_ctl_card_info_t *about;
  snd_ctl_card_info_alloca(&about);
  if (snd_ctl_card_info(ctl, about) >= 0)
    snprintf(card, 64, "%s", snd_ctl_card_info_get_id(about));
  snd_ctl_close(ctl);
}
