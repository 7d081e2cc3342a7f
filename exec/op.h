/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CAIRN_OP_H
#define CAIRN_OP_H
#endif
