// SPDX-License-Identifier: Apache-2.0

/// Preloaded into a program, notes when its sound thread asks for memory or waits for a lock.
///
/// LD_PRELOAD names this library, CUECOACH_WATCH the file that gets a line for each call of the
/// thread that named itself "cuecoach-sound": `malloc <ns>`, `free <ns>` or `wait <ns>`, CLOCK_MONOTONIC. A
/// wait is a lock that another thread held.
