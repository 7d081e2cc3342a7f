/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/json-private.h - small helpers for JSON; for study/ only.
 */
#ifndef CAIRN_STUDY_JSON_PRIVATE_H
#define CAIRN_STUDY_JSON_PRIVATE_H

#include <jansson.h>

#include "study/study-private.h"

/* null when it is no finite number. */
json_t *cairn_study__number(double value);
/* null for NULL; bytes that are no UTF-8 become U+FFFD. */
json_t *cairn_study__string(const char *plain);
/* A string above 2^53. */
json_t *cairn_study__integer(uint64_t value);
void cairn_study__set(json_t *object, const char *name, json_t *value);
void cairn_study__append(json_t *array, json_t *value);
/* A verdict as an object. */
json_t *cairn_study__verdict_object(const cairn_study_verdict *verdict);
/* Appends the object as one line with its end, and releases it. */
cairn_status cairn_study__dump(json_t *object, cairn_base_text *text);

#endif
