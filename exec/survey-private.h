/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/survey-private.h - what one rank knows of its place, for the doctor.
 * Plain memory: sent between ranks as it is.  Internal to exec.
 */
#ifndef CAIRN_EXEC_SURVEY_PRIVATE_H
#define CAIRN_EXEC_SURVEY_PRIVATE_H

#include <sched.h>

#include "exec/platform-private.h"
#include <cairn/exec.h>

typedef struct cairn_exec_gpu_survey {
  int devices;        /* seen by this rank, 0 none */
  int device;         /* the one it would use, -1 none */
  int peers;          /* other devices that this one reaches directly */
  char name[256];     /* of the device */
  char bus[32];       /* its PCI address */
  char driver[64];    /* versions */
  char why[256];      /* why there is none, or "" */
  unsigned clock_mhz; /* of the SMs now and at most, 0 unknown */
  unsigned clock_max_mhz;
  unsigned long long clock_reasons; /* NVML's bits, see nvml-private.h */
} cairn_exec_gpu_survey;

typedef struct cairn_exec_survey {
  char host[64];
  cpu_set_t mask; /* CPUs this rank may use */
  char cpus[160]; /* the same in words */
  int online;     /* CPUs of the host */
  int launched;   /* ranks that the launcher says it started, 0 unknown */
  int blocking;   /* CUDA_LAUNCH_BLOCKING is on */
  int gpu_aware;
  char gpu_aware_reason[256];
  cairn_exec_gpu_survey gpu;
  double clock_step_s, clock_cost_s; /* of CLOCK_MONOTONIC */
  double shm_bytes, shm_free_bytes;  /* /dev/shm, -1 unknown */
  char clock_source[32], governor[32];
} cairn_exec_survey;

/* This rank's survey.  Not collective. */
void cairn_exec__survey_fill(const cairn_exec_place *place,
                             cairn_exec_survey *survey);

/* Processes that the launcher says it started in this step; 0 unknown. */
int cairn_exec__launched(void);
/* That these are other than MPI's ranks, and what to do. */
void cairn_exec__launcher_text(int launched, int ranks, const char *library,
                               char *text, size_t text_size, char *fix,
                               size_t fix_size);

/* "CPUs 0-7, 8 whole cores, NUMA node 0, package 0", of this process. */
void cairn_exec__binding_text(char *text, size_t size);

#ifdef CAIRN_HAVE_CUDA
void cairn_exec__cuda_survey(const cairn_exec_place *place,
                             cairn_exec_gpu_survey *survey);
#endif

#endif
