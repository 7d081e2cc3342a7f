/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify.h - front door of classify.
 */
#ifndef CAIRN_CLASSIFY_H
#define CAIRN_CLASSIFY_H

#include <cairn/dag.h>

#endif
