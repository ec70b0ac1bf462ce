// Writes what libespeak-ng speaks of each argument to standard output, as 16-bit samples: to tell its differences
// between two processors from ours.
#include <espeak-ng/speak_lib.h>
#include <stdio.h>
#include <string.h>
static int take(short *wav, int count, espeak_EVENT *events) {
  (void)events;
  if (wav) fwrite(wav, 2, count, stdout);
  return 0;
}
int main(int argc, char **argv) {
  if (espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, NULL, 0) < 0) return 1;
  espeak_SetSynthCallback(take);
  if (espeak_SetVoiceByName("en-us+f5") != EE_OK) return 1;
  for (int i = 1; i < argc; i++)
    espeak_Synth(argv[i], strlen(argv[i]) + 1, 0, POS_CHARACTER, 0, espeakCHARS_UTF8, NULL, NULL);
  return 0;
}
