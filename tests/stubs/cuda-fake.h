/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/stubs/cuda-fake.h - a CUDA runtime that does nothing but keep books:
 * what was called, in which order, what is alive, what was done wrong.
 */
#ifndef CUDA_FAKE_H
#define CUDA_FAKE_H

/* Forgets everything; `devices` are there from now on. */
void cuda_fake_reset(int devices);
/* The n-th call from now fails (1: the next one) with cudaErrorIllegalAddress;
 * sticky: so do all later ones. */
void cuda_fake_fail(int n, int sticky);
int cuda_fake_calls(void);       /* since the last cuda_fake_fail */
int cuda_fake_alive(void);       /* streams and events not destroyed */
int cuda_fake_wrong(void);       /* dead handles, default stream, flags */
int cuda_fake_device(void);      /* the one set */
const char *cuda_fake_log(void); /* "record(e1,s0) wait(s1,e1) ..." */
void cuda_fake_clear_log(void);

#endif
